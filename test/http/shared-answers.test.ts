import { GraphQLError } from "graphql";
import { createSchema } from "graphql-yoga";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LatestValue } from "../../src/events/latest-value.js";
import { openSocket, startTestServer, type TestServer, until } from "../support/http.js";

interface Item {
  readonly name: string;
  readonly fails?: "here" | "all";
}

/** Everyone who follows `items` gets each item as the same object. */
const open = new Set<LatestValue<Item>>();
let shown: string[];
let server: TestServer;

const schema = createSchema({
  typeDefs: /* GraphQL */ `
    type Query { hello: String! }
    type Item { name(suffix: String = ""): String! detail: String big(size: Int!): String! }
    type Subscription { items(after: Int): Item! }
  `,
  resolvers: {
    Item: {
      name({ name, fails }: Item, { suffix }: { suffix: string }) {
        shown.push(name);
        if (fails === "all") throw new GraphQLError("No.", { extensions: { code: "NOT_FOUND" } });
        return name + suffix;
      },
      detail({ fails }: Item) {
        if (fails) throw new Error("It is broken.");
        return "fine";
      },
      big: (_item: Item, { size }: { size: number }) => "ä".repeat(size),
    },
    Subscription: {
      items: {
        subscribe() {
          const items = new LatestValue<Item>(() => open.delete(items));
          open.add(items);
          return items;
        },
        resolve: (item: Item) => item,
      },
    },
  },
});

beforeEach(async () => {
  shown = [];
  server = await startTestServer(schema);
});

afterEach(async () => {
  await server.stop();
  expect(open.size).toBe(0);
});

function tell(item: Item): void {
  for (const items of open) items.set(item);
}

/** Clients that each begin one of the operations, whose ids are their numbers. */
async function follow(...payloads: { query: string; variables?: object; operationName?: string }[]) {
  const clients = await Promise.all(payloads.map(() => openSocket(server.endpoint)));
  for (const [index, client] of clients.entries())
    client.send({ id: `number ${index}`, type: "subscribe", payload: payloads[index] });
  await until(() => open.size === payloads.length);
  return clients;
}

const NAMES =
  "subscription ($after: Int, $suffix: String) { items(after: $after) { name(suffix: $suffix) } }";

describe("subscribers", () => {
  it("that asked the same get one answer, each under its own id, wherever they began", async () => {
    const clients = await follow(
      { query: NAMES },
      { query: NAMES, variables: { after: 1 } },
      { query: NAMES, variables: { after: 2 } },
    );
    for (const name of ["one", "two"]) {
      tell({ name });
      for (const [index, client] of clients.entries()) {
        const payload = { data: { items: { name } } };
        expect(await client.next()).toEqual({ id: `number ${index}`, type: "next", payload });
      }
    }
    expect(shown).toEqual(["one", "two"]);
  });

  it("that asked something else get their own answers", async () => {
    const operations = "subscription A { items { name } } subscription B { items { again: name } }";
    const clients = await follow(
      { query: NAMES, variables: { suffix: "!" } },
      { query: NAMES, variables: { suffix: null } },
      { query: NAMES },
      { query: operations, operationName: "A" },
      { query: operations, operationName: "B" },
    );
    tell({ name: "one" });
    const answers = await Promise.all(clients.map(async (client) => (await client.next()).payload));
    expect(answers).toMatchObject([
      { data: { items: { name: "one!" } } },
      { data: { items: { name: "onenull" } } },
      { data: { items: { name: "one" } } },
      { data: { items: { name: "one" } } },
      { data: { items: { again: "one" } } },
    ]);
    expect(shown).toHaveLength(5);
  });

  it("go on when the one leaves who asked first", async () => {
    const [first, second] = await follow({ query: NAMES }, { query: NAMES });
    first?.socket.terminate();
    await until(() => open.size === 1);
    tell({ name: "one" });
    expect(await second?.next()).toMatchObject({ payload: { data: { items: { name: "one" } } } });
  });

  it("get a failure under request ids of their own, and are told of it in the log each", async () => {
    const query = "subscription { items { name detail } }";
    const clients = await follow({ query }, { query });
    tell({ name: "one", fails: "here" });
    const frames = await Promise.all(clients.map((client) => client.next()));
    const ids = frames.map(({ payload }) => Object(payload).errors[0].extensions.requestId);
    expect(frames).toMatchObject(
      ids.map((requestId) => ({
        type: "next",
        payload: {
          data: { items: { name: "one", detail: null } },
          errors: [{ path: ["items", "detail"], extensions: { code: "INTERNAL_SERVER_ERROR", requestId } }],
        },
      })),
    );
    expect(new Set(ids).size).toBe(2);
    const failures = server.lines.filter(({ msg }) => msg === "operation failed");
    expect(failures.map(({ requestId }) => requestId).sort()).toEqual(ids.sort());
    expect(shown).toEqual(["one"]);
  });

  it("all end with an error frame where the whole answer fails, and a log line each", async () => {
    const clients = await follow({ query: NAMES }, { query: NAMES });
    tell({ name: "one", fails: "all" });
    for (const [index, client] of clients.entries()) {
      expect(await client.next()).toMatchObject({
        id: `number ${index}`,
        type: "error",
        payload: [{ message: "No.", extensions: { code: "NOT_FOUND" } }],
      });
    }
    await until(() => open.size === 0);
    const ends = server.lines.filter(({ msg }) => msg === "operation");
    expect(ends).toMatchObject([{ errorCodes: ["NOT_FOUND"] }, { errorCodes: ["NOT_FOUND"] }]);
  });
});

describe("a message", () => {
  it.each([10, 100, 10_000, 20_000, 100_000])("of any size comes whole: %i letters", async (size) => {
    const query = `subscription { items { big(size: ${size}) } }`;
    const clients = await follow({ query }, { query }, { query: `${query} ` });
    tell({ name: "one" });
    for (const client of clients) {
      expect(await client.next()).toMatchObject({ payload: { data: { items: { big: "ä".repeat(size) } } } });
    }
  });

  it("comes in its place, however many are sent at once", async () => {
    const query = "subscription { items { name big(size: 3000) } }";
    const client = await openSocket(server.endpoint);
    const ids = Array.from({ length: 50 }, (_, index) => `${index}`);
    for (const id of ids) client.send({ id, type: "subscribe", payload: { query } });
    await until(() => open.size === 50);
    for (const name of ["one", "two"]) {
      tell({ name });
      for (const id of ids) {
        expect(await client.next()).toMatchObject({ id, payload: { data: { items: { name } } } });
      }
    }
    client.socket.terminate();
  });
});
