import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEvents, openSocket, post, startTestServer, type TestServer, until } from "../support/http.js";
import { createToy, type Toy } from "./toy-schema.js";

let toy: Toy;
let server: TestServer;

beforeEach(async () => {
  toy = createToy();
  server = await startTestServer(toy.schema);
});

afterEach(async () => {
  toy.openGate();
  await server.stop();
});

const TICKS = "subscription Ticks { ticks }";

describe("the transports", () => {
  it("answer a query over HTTP, with the request's id in a header and in the log", async () => {
    const answer = await post(server.endpoint, { query: "query Greet { hello }" });
    expect(answer).toMatchObject({ status: 200, body: { data: { hello: "hello world" } } });
    const requestId = answer.headers.get("x-request-id");
    await until(() => server.lines.some((line) => line.msg === "operation"));
    expect(server.lines.find((line) => line.msg === "operation")).toMatchObject({
      requestId,
      operation: "Greet",
      kind: "query",
      status: 200,
      transport: "http",
    });
  });

  it("run a subscription over Server-Sent Events until the client drops it", async () => {
    const events = await openEvents(server.endpoint, { query: TICKS });
    expect(events.response.headers.get("content-type")).toContain("text/event-stream");
    await until(() => toy.opened === 1);
    toy.tick(1);
    expect(await events.next()).toEqual({ event: "next", id: null, data: { data: { ticks: 1 } } });
    events.drop();
    await until(() => toy.returned === 1);
  });

  it("run queries, mutations and subscriptions over WebSocket", async () => {
    const client = await openSocket(server.endpoint, { actor: "local/ada" });
    client.send({ id: "1", type: "subscribe", payload: { query: "{ actor }" } });
    expect(await client.next()).toEqual({ id: "1", type: "next", payload: { data: { actor: "local/ada" } } });
    expect(await client.next()).toEqual({ id: "1", type: "complete" });
    client.send({ id: "2", type: "subscribe", payload: { query: TICKS } });
    await until(() => toy.opened === 1);
    toy.tick(7);
    expect(await client.next()).toEqual({ id: "2", type: "next", payload: { data: { ticks: 7 } } });
    client.send({ id: "2", type: "complete" });
    await until(() => toy.returned === 1);
    client.socket.close();
    await client.closed;
  });
});
