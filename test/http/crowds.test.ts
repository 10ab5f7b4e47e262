import { afterEach, describe, expect, it, vi } from "vitest";
import {
  openEvents,
  openSocket,
  post,
  send,
  startTestServer,
  type TestServer,
  until,
} from "../support/http.js";
import { createToy } from "./toy-schema.js";

const TICKS = { query: "subscription { ticks }" };

let server: TestServer;

afterEach(() => server.stop());

describe("a crowd", () => {
  it("of operations on one socket is refused beyond the limit, and those that run go on", async () => {
    const toy = createToy();
    server = await startTestServer(toy.schema, { environment: { PHASELINE_MAX_OPERATIONS_PER_SOCKET: "2" } });
    const client = await openSocket(server.endpoint);
    for (const id of ["1", "2"]) client.send({ id, type: "subscribe", payload: TICKS });
    await until(() => toy.opened === 2);
    client.send({ id: "3", type: "subscribe", payload: TICKS });
    const refusal = { id: "3", type: "error", payload: [{ extensions: { code: "TOO_MANY_OPERATIONS" } }] };
    expect(await client.next()).toMatchObject(refusal);
    toy.tick(1);
    expect(await client.next()).toMatchObject({ id: "1", type: "next" });
    expect(await client.next()).toMatchObject({ id: "2", type: "next" });
    client.socket.terminate();
  });

  it("of feeds on one server is refused beyond the limit, over both transports, until one leaves", async () => {
    const toy = createToy();
    server = await startTestServer(toy.schema, { environment: { PHASELINE_MAX_CONNECTIONS: "2" } });
    const socket = await openSocket(server.endpoint);
    const events = await openEvents(server.endpoint, TICKS);
    await until(() => toy.opened === 1);
    await expect(openSocket(server.endpoint)).rejects.toThrow("503");
    const accept = { accept: "text/event-stream" };
    expect(await post(server.endpoint, TICKS, accept)).toMatchObject({
      status: 503,
      body: { errors: [{ extensions: { code: "TOO_MANY_CONNECTIONS" } }] },
    });
    expect(await post(server.endpoint, { query: "{ hello }" })).toMatchObject({ status: 200 });
    events.drop();
    socket.socket.terminate();
    await vi.waitFor(async () => (await openSocket(server.endpoint)).socket.terminate(), { timeout: 10_000 });
  });
});

describe("a place for feeds", () => {
  const CROWDED = { status: 503, body: { errors: [{ extensions: { code: "TOO_MANY_CONNECTIONS" } }] } };

  it("is needed by subscriptions alone, however they say that a stream is welcome", async () => {
    server = await startTestServer(createToy().schema, { environment: { PHASELINE_MAX_CONNECTIONS: "1" } });
    const socket = await openSocket(server.endpoint);
    for (const accept of ["text/event-stream", "Text/Event-Stream", "text/*", "*/*"]) {
      expect(await post(server.endpoint, TICKS, { accept })).toMatchObject(CROWDED);
    }
    const accept = "application/json, text/event-stream";
    expect(await post(server.endpoint, { query: "{ hello }" }, { accept })).toMatchObject({ status: 200 });
    socket.socket.terminate();
  });

  it("is taken once, also when many come for it at the same time", async () => {
    const toy = createToy();
    server = await startTestServer(toy.schema, { environment: { PHASELINE_MAX_CONNECTIONS: "2" } });
    const gated = { query: "subscription { gatedTicks }" };
    const streams = Array.from({ length: 10 }, () => openEvents(server.endpoint, gated));
    let refused = 0;
    for (const stream of streams) {
      stream.then(({ response }) => {
        if (response.status === 503) refused += 1;
      });
    }
    await until(() => refused === 8 && toy.waiting() === 2);
    toy.openGate();
    await until(() => toy.opened === 2);
    expect(refused).toBe(8);
    for (const stream of await Promise.all(streams)) stream.drop();
  });
});

describe("/metrics", () => {
  it("shows what the server counts, and hears of the code of each socket that closed", async () => {
    const codes: number[] = [];
    server = await startTestServer(createToy().schema, {
      metrics: {
        contentType: "text/plain; version=0.0.4",
        text: async () => "up 1",
        socketClosed: (code) => codes.push(code),
      },
    });
    const answer = await send(`${server.url}/metrics`);
    expect(answer).toMatchObject({ status: 200, body: "up 1" });
    expect(answer.headers["content-type"]).toContain("version=0.0.4");
    const client = await openSocket(server.endpoint);
    client.socket.close(1000);
    await until(() => codes.length === 1);
    expect(codes).toEqual([1000]);
  });
});
