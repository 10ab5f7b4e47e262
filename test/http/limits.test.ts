import { getIntrospectionQuery, parse, Source } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  assertParsable,
  assertWithinLimits,
  type QueryLimits,
  type Variables,
} from "../../src/http/limits.js";
import { configOf, openSocket, post, startTestServer, type TestServer } from "../support/http.js";
import { createToy } from "./toy-schema.js";

const { schema } = createToy();
const defaults = configOf().query;

/** The code that a document is refused with, or null. */
function refusalOf(text: string, limits: Partial<QueryLimits> = {}, variables: Variables = {}): unknown {
  try {
    assertParsable(new Source(text), { ...defaults, ...limits });
    assertWithinLimits(schema, parse(text), variables, { ...defaults, ...limits });
    return null;
  } catch (error) {
    return error instanceof Error && "extensions" in error && error.extensions
      ? Object(error.extensions).code
      : error;
  }
}

describe("the limits on a document", () => {
  it("let the introspection of every client pass", () => {
    const introspection = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    });
    expect(refusalOf(introspection)).toBeNull();
  });

  it("let a full page pass with children of children and some hundred fields for each", () => {
    const fields = Array.from({ length: 300 }, () => "name").join(" ");
    const children = `nodes { edges { node { ${fields} nodes { edges { node { ${fields} } } } } } }`;
    expect(refusalOf(`{ nodes(first: 100) { edges { node { ${fields} ${children} } } } }`)).toBeNull();
  });

  it("refuse lists in lists in lists that have too many items together", () => {
    const lists = (size: number) =>
      `{ nodes(first: 100) { edges { node { nodes(first: 100) { edges { node { nodes(first: ${size}) { edges { node { name } } } } } } } } } }`;
    expect(refusalOf(lists(3))).toBeNull();
    expect(refusalOf(lists(4))).toBe("QUERY_TOO_COSTLY");
  });

  it("count fields in depth through fragments", () => {
    const query = "{ nodes { ...C } } fragment C on NodeConnection { edges { ... { node { name } } } }";
    expect(refusalOf(query, { maxDepth: 4 })).toBeNull();
    expect(refusalOf(query, { maxDepth: 3 })).toBe("QUERY_TOO_DEEP");
  });

  it("count the fields below a connection once for each item asked for", () => {
    const costs = (query: string, cost: number, variables?: Variables) => {
      expect(refusalOf(query, { maxCost: cost }, variables)).toBeNull();
      expect(refusalOf(query, { maxCost: cost - 1 }, variables)).toBe("QUERY_TOO_COSTLY");
    };
    costs("{ hello actor }", 2);
    costs("{ nodes { edges { node { name } } } }", 1 + 20 * 3);
    costs("{ nodes(first: 7) { edges { node { name } } } }", 1 + 7 * 3);
    costs("{ nodes(last: 7) { edges { node { name } } } }", 1 + 7 * 3);
    costs("query ($n: Int) { nodes(first: $n) { edges { node { name } } } }", 1 + 7 * 3, { n: 7 });
    // What is more than a page may hold is refused by its field, in better words.
    costs("{ nodes(first: 2147483647) { edges { node { name } } } }", 1 + 100 * 3);
    costs("query ($n: Int = 7) { nodes(first: $n) { edges { node { name } } } }", 1 + 7 * 3);
    costs("query ($n: Int) { nodes(first: $n) { edges { node { name } } } }", 1 + 20 * 3);
  });

  it("count aliases and tokens", () => {
    expect(refusalOf("{ a: hello b: hello }", { maxAliases: 2 })).toBeNull();
    expect(refusalOf("{ a: hello b: hello }", { maxAliases: 1 })).toBe("TOO_MANY_ALIASES");
    expect(refusalOf("{ hello }", { maxTokens: 3 })).toBeNull();
    expect(refusalOf("{ hello }", { maxTokens: 2 })).toBe("TOO_MANY_TOKENS");
  });

  it("measure each of many fragments once, however often they spread each other", () => {
    const fragments = Array.from(
      { length: 60 },
      (_, n) => `fragment F${n} on Node { ...F${n + 1} ...F${n + 1} }`,
    );
    const query = `{ nodes { edges { node { ...F0 } } } } ${fragments.join(" ")} fragment F60 on Node { name }`;
    expect(refusalOf(query, { maxCost: 1000 })).toBe("QUERY_TOO_COSTLY");
  });

  it("leave fragments that spread themselves to validation", () => {
    const query =
      "{ nodes { edges { node { ...A } } } } fragment A on Node { ...B } fragment B on Node { ...A }";
    expect(refusalOf(query)).toBeNull();
  });

  it("refuse brackets that the parser's stack would not bear", () => {
    expect(refusalOf(`{ required(value: ${"[".repeat(2000)}`)).toBe("QUERY_TOO_DEEP");
  });
});

describe("the limits of a server", () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer(schema, {
      environment: {
        PHASELINE_MAX_DEPTH: "4",
        PHASELINE_MAX_COST: "100",
        PHASELINE_MAX_ALIASES: "2",
        PHASELINE_MAX_TOKENS: "60",
      },
    });
  });

  afterAll(() => server.stop());

  const PAGE = "query ($n: Int) { nodes(first: $n) { edges { node { name } } } }";

  it.each([
    ["QUERY_TOO_DEEP", "{ nodes { edges { node { parent { name } } } } }"],
    ["QUERY_TOO_COSTLY", "{ nodes(first: 100) { edges { node { name } } } }"],
    ["TOO_MANY_ALIASES", "{ a: hello b: hello c: hello }"],
    ["TOO_MANY_TOKENS", `{ ${"hello ".repeat(60)} }`],
  ])("answer with %s and the name of the setting, over HTTP and WebSocket alike", async (code, query) => {
    const error = { message: expect.stringContaining("PHASELINE_MAX_"), extensions: { code } };
    expect(await post(server.endpoint, { query })).toMatchObject({ status: 400, body: { errors: [error] } });
    const client = await openSocket(server.endpoint);
    client.send({ id: "1", type: "subscribe", payload: { query } });
    expect(await client.next()).toMatchObject({ id: "1", type: "error", payload: [error] });
    client.socket.close();
    await client.closed;
  });

  it("look at the variables of each request, not only at the document's first", async () => {
    expect(await post(server.endpoint, { query: PAGE, variables: { n: 5 } })).toMatchObject({ status: 200 });
    expect(await post(server.endpoint, { query: PAGE, variables: { n: 500 } })).toMatchObject({
      status: 400,
    });
    expect(await post(server.endpoint, { query: PAGE, variables: { n: 5 } })).toMatchObject({ status: 200 });
  });
});
