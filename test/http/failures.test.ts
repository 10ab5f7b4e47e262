import { GraphQLError } from "graphql";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openExchange } from "../../src/http/exchange.js";
import { answerText } from "../../src/http/failures.js";
import {
  answerOf,
  openEvents,
  openSocket,
  post,
  startTestServer,
  type TestServer,
  until,
} from "../support/http.js";
import { createToy } from "./toy-schema.js";

type Operation = Parameters<typeof post>[1] & object;

const SECRETS = /SELECT|secret|\.ts\b|node_modules|stack/i;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(createToy().schema, {
    context: ({ actor }) => {
      if (actor === "!")
        throw new GraphQLError("The actor is malformed.", { extensions: { code: "BAD_USER_INPUT" } });
      if (actor === "?") throw new Error("SELECT * FROM secrets failed at /srv/secret.ts");
      return { actor };
    },
  });
});

afterAll(() => server.stop());

describe("a request that is wrong", () => {
  it.each<[string, Operation | string, string]>([
    ["is not JSON", "{", "BAD_REQUEST"],
    ["is empty", "", "BAD_REQUEST"],
    ["is not an object", "7", "BAD_REQUEST"],
    ["is a batch", '[{"query":"{ hello }"}]', "BAD_REQUEST"],
    ["has no query", { query: "" }, "GRAPHQL_PARSE_FAILED"],
    ["has a query of another type", '{"query":7}', "BAD_REQUEST"],
    ["has variables of another type", '{"query":"{ hello }","variables":[]}', "BAD_REQUEST"],
    ["does not parse", { query: "{ hello" }, "GRAPHQL_PARSE_FAILED"],
    ["names an unknown field", { query: "{ helo }" }, "GRAPHQL_VALIDATION_FAILED"],
    [
      "names an unknown operation",
      { query: "query A { hello }", operationName: "B" },
      "OPERATION_RESOLUTION_FAILURE",
    ],
    [
      "does not choose an operation",
      { query: "query A { hello } query B { hello }" },
      "OPERATION_RESOLUTION_FAILURE",
    ],
    ["lacks a variable", { query: "query ($v: Int!) { required(value: $v) }" }, "BAD_USER_INPUT"],
    [
      "has a variable that its scalar refuses",
      { query: "query ($v: Even!) { even(value: $v) }", variables: { v: 3 } },
      "BAD_USER_INPUT",
    ],
    ["has a literal that its scalar refuses", { query: "{ even(value: 3) }" }, "GRAPHQL_VALIDATION_FAILED"],
  ])(
    "because it %s is answered with 400 and a typed error, and over WebSocket with an error frame",
    async (_why, operation, code) => {
      for (const accept of ["application/json", "application/graphql-response+json"]) {
        const answer = await post(server.endpoint, operation, { accept });
        expect(answer.status).toBe(400);
        expect(answer.body.errors?.[0]?.extensions).toEqual({ code });
        expect(answer.body.errors?.[0]?.message).toMatch(/\w+ \w+/);
        expect(JSON.stringify(answer.body)).not.toMatch(SECRETS);
        expect(answer.body).not.toHaveProperty("data");
      }
      // What is no operation at all is no message either.
      if (typeof operation === "string" || operation.query === "") return;
      expect(await refusedOverWebSocket(operation)).toEqual([code]);
    },
  );

  it.each<[string, Operation]>([
    ["skips", { query: "subscription { ticks @skip(if: true) }" }],
    ["does not include", { query: "subscription { ... @include(if: false) { ticks } }" }],
    [
      "may skip, and does,",
      {
        query:
          "subscription ($off: Boolean! = true) { ...F } fragment F on Subscription { ticks @skip(if: $off) }",
      },
    ],
  ])("because it %s the only field of a subscription is told so", async (_how, operation) => {
    const answer = await post(server.endpoint, operation, { accept: "*/*" });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: "BAD_USER_INPUT" } }] },
    });
    expect(await refusedOverWebSocket(operation)).toEqual(["BAD_USER_INPUT"]);
  });

  it("leaves its id and its place to the next one on the socket", async () => {
    const one = await startTestServer(createToy().schema, {
      environment: { PHASELINE_MAX_OPERATIONS_PER_SOCKET: "1" },
    });
    const client = await openSocket(one.endpoint);
    client.send({ id: "1", type: "subscribe", payload: { query: "query A { hello }", operationName: "B" } });
    expect(await client.next()).toMatchObject({ type: "error" });
    client.send({ id: "1", type: "subscribe", payload: { query: "{ hello }" } });
    expect(await client.next()).toMatchObject({ type: "next", payload: { data: { hello: "hello world" } } });
    await one.stop();
  });

  it("because its variables in a GET are not JSON is answered with 400", async () => {
    const response = await fetch(`${server.endpoint}?query={hello}&variables={`, {
      headers: { "x-phaseline-csrf": "1" },
    });
    expect(await answerOf(response)).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: "BAD_REQUEST" } }] },
    });
  });

  it("because its actor is malformed is answered with 400, over WebSocket with an error frame", async () => {
    const errors = [{ message: "The actor is malformed.", extensions: { code: "BAD_USER_INPUT" } }];
    const answer = await post(server.endpoint, { query: "{ actor }" }, { "x-phaseline-actor": "!" });
    expect(answer).toMatchObject({ status: 400, body: { errors } });
    const client = await openSocket(server.endpoint, { actor: "!" });
    client.send({ id: "1", type: "subscribe", payload: { query: "{ actor }" } });
    expect(await client.next()).toEqual({ id: "1", type: "error", payload: errors });
    client.socket.close();
    const other = await openSocket(server.endpoint, { actor: 7 });
    other.send({ id: "1", type: "subscribe", payload: { query: "{ actor }" } });
    expect(await other.next()).toMatchObject({
      type: "error",
      payload: [{ extensions: { code: "BAD_USER_INPUT" } }],
    });
    other.socket.close();
    await Promise.all([client.closed, other.closed]);
  });

  it("because a subscription lacks a variable gets an error frame", async () => {
    const operation = { query: "subscription ($v: Int!) { big(count: $v) }" };
    expect(await refusedOverWebSocket(operation)).toEqual(["BAD_USER_INPUT"]);
  });
});

describe("a failure of the server", () => {
  it("is masked, and stands whole in the log under the request's id", async () => {
    const answer = await post(server.endpoint, { query: "{ fails }" });
    const requestId = answer.headers.get("x-request-id");
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: { fails: null },
        errors: [{ path: ["fails"], extensions: { code: "INTERNAL_SERVER_ERROR", requestId } }],
      },
    });
    expect(JSON.stringify(answer.body)).not.toMatch(SECRETS);
    const line = server.lines.find((one) => one.requestId === requestId && one.msg === "operation failed");
    expect(JSON.stringify(line)).toContain("SELECT * FROM secrets");
    await until(() => server.lines.some((one) => one.requestId === requestId && one.msg === "operation"));
    expect(server.lines.findLast((one) => one.requestId === requestId)).toMatchObject({
      errorCodes: ["INTERNAL_SERVER_ERROR"],
    });
  });

  it("to build the context is answered with 500", async () => {
    const answer = await post(server.endpoint, { query: "{ actor }" }, { "x-phaseline-actor": "?" });
    expect(answer).toMatchObject({
      status: 500,
      body: { errors: [{ extensions: { code: "INTERNAL_SERVER_ERROR" } }] },
    });
    expect(JSON.stringify(answer.body)).not.toMatch(SECRETS);
  });

  it("ends a feed over SSE with the masked error, and the stream with it", async () => {
    const events = await openEvents(server.endpoint, { query: "subscription { failing }" });
    expect(await events.next()).toMatchObject({ data: { data: { failing: 1 } } });
    const last = await events.next();
    expect(last).toMatchObject({ data: { errors: [{ extensions: { code: "INTERNAL_SERVER_ERROR" } }] } });
    expect(JSON.stringify(last)).not.toMatch(SECRETS);
    expect(await events.next()).toMatchObject({ event: "complete" });
    expect(await events.next()).toBeNull();
  });

  it("ends one feed of a socket with an error frame, and its sibling goes on", async () => {
    const toy = createToy();
    const other = await startTestServer(toy.schema);
    const client = await openSocket(other.endpoint);
    client.send({ id: "sibling", type: "subscribe", payload: { query: "subscription { ticks }" } });
    await until(() => toy.opened === 1);
    client.send({ id: "failing", type: "subscribe", payload: { query: "subscription { failing }" } });
    expect(await client.next()).toMatchObject({
      id: "failing",
      type: "next",
      payload: { data: { failing: 1 } },
    });
    const error = await client.next();
    expect(error).toMatchObject({
      id: "failing",
      type: "error",
      payload: [{ extensions: { code: "INTERNAL_SERVER_ERROR" } }],
    });
    expect(JSON.stringify(error)).not.toMatch(SECRETS);
    toy.tick(2);
    expect(await client.next()).toMatchObject({ id: "sibling", payload: { data: { ticks: 2 } } });
    await other.stop();
  });
});

describe("an error that was thrown for the client", () => {
  const expected = { message: "There is none.", extensions: { code: "NOT_FOUND" } };

  it("passes as it is", async () => {
    expect(await post(server.endpoint, { query: "{ refuses }" })).toMatchObject({
      status: 200,
      body: { data: { refuses: null }, errors: [expected] },
    });
  });

  it("says that an answer is larger than one can be", async () => {
    const tooLarge = {
      message: expect.stringContaining("ask for less"),
      extensions: { code: "ANSWER_TOO_LARGE" },
    };
    const { body } = await post(server.endpoint, { query: "{ tooLong hello }" });
    expect(body).toMatchObject({ data: { tooLong: null, hello: "hello world" }, errors: [tooLarge] });
    const exchange = openExchange("http", null);
    const text = answerText(() => "x".repeat(2 ** 30), exchange, pino({ enabled: false }));
    expect(JSON.parse(text)).toMatchObject({ data: null, errors: [tooLarge] });
  });

  it("shows of a long value only where it begins and ends", async () => {
    const { status, body } = await post(server.endpoint, {
      query: "query($value: Int!) { required(value: $value) }",
      variables: { value: `begin${"x".repeat(100_000)}end` },
    });
    expect(status).toBe(400);
    const [error] = body.errors ?? [];
    expect(error?.message).toMatch(/got invalid value "beginx+ … x*/);
    expect(error?.message.length).toBeLessThan(1_100);
  });

  it("refuses a subscription with an error frame, or as the only event of a stream", async () => {
    const client = await openSocket(server.endpoint);
    client.send({ id: "1", type: "subscribe", payload: { query: "subscription { refused }" } });
    expect(await client.next()).toMatchObject({ id: "1", type: "error", payload: [expected] });
    client.socket.close();
    await client.closed;
    const events = await openEvents(server.endpoint, { query: "subscription { refused }" });
    expect(events.response.status).toBe(200);
    expect(await events.next()).toMatchObject({ event: "next", data: { errors: [expected] } });
    expect(await events.next()).toMatchObject({ event: "complete" });
  });

  it("tells a subscription that accepts no stream where to go", async () => {
    const answer = await post(
      server.endpoint,
      { query: "subscription { ticks }" },
      { accept: "application/json" },
    );
    expect(answer).toMatchObject({
      status: 406,
      body: { errors: [{ extensions: { code: "NOT_ACCEPTABLE" } }] },
    });
  });
});

/** The codes of the error frame that answers an operation. */
async function refusedOverWebSocket(operation: Operation): Promise<unknown[]> {
  const client = await openSocket(server.endpoint);
  client.send({ id: "1", type: "subscribe", payload: operation });
  const frame = await client.next();
  client.socket.close();
  await client.closed;
  expect(frame).toMatchObject({ id: "1", type: "error" });
  expect(JSON.stringify(frame)).not.toMatch(SECRETS);
  return (frame.payload as { extensions: { code: string } }[]).map(({ extensions }) => extensions.code);
}
