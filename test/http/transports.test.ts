import { once } from "node:events";
import { connect } from "node:net";
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

  it("answer a request that would rather be upgraded to HTTP/2 as any other, and the next one too", async () => {
    const socket = connect(server.port, "127.0.0.1");
    const body = JSON.stringify({ query: "{ hello }" });
    const head = [
      "POST /graphql HTTP/1.1",
      "Host: localhost",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ];
    const wish = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAAAAIAAAAA"];
    socket.write([...head, ...wish, "", body].join("\r\n"));
    let received = "";
    socket.on("data", (chunk) => {
      received += String(chunk);
    });
    await until(() => received.includes("hello world"));
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    received = "";
    socket.write([...head, "Connection: close", "", body].join("\r\n"));
    await once(socket, "close");
    expect(received).toContain("hello world");
  });

  it.each([
    { id: "1", type: "next", payload: { data: {} } },
    { id: "1", type: "error", payload: [{ message: "no" }] },
    { type: "connection_ack" },
  ])("close a socket with 4400 whose client sends what only servers send ($type)", async (message) => {
    const client = await openSocket(server.endpoint);
    client.send(message);
    expect(await client.closed).toMatchObject({ code: 4400 });
    expect(server.lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it("close a socket with 4409 for a running id, however long", async () => {
    const client = await openSocket(server.endpoint);
    const id = "x".repeat(400);
    client.send({ id, type: "subscribe", payload: { query: TICKS } });
    await until(() => toy.opened === 1);
    client.send({ id, type: "subscribe", payload: { query: TICKS } });
    expect(await client.closed).toMatchObject({ code: 4409 });
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
