import { describe, expect, it } from "vitest";
import { openEvents, openSocket, post, send, startTestServer, until } from "../support/http.js";
import { createToy } from "./toy-schema.js";

const TICKS = { query: "subscription { ticks }" };

describe("a server that stops", () => {
  it("closes 20 sockets with 1001 and ends 20 streams without a complete, whose clients then resume", async () => {
    const toy = createToy();
    const server = await startTestServer(toy.schema);
    const clients = await Promise.all(Array.from({ length: 20 }, () => openSocket(server.endpoint)));
    for (const client of clients) client.send({ id: "1", type: "subscribe", payload: TICKS });
    const streams = await Promise.all(Array.from({ length: 20 }, () => openEvents(server.endpoint, TICKS)));
    await until(() => toy.opened === 40);
    await server.stop();
    for (const client of clients) {
      expect(await client.closed).toMatchObject({ code: 1001 });
      await expect(client.next()).rejects.toThrow("closed before");
    }
    for (const stream of streams) expect(await stream.next()).toBeNull();
    expect(toy.returned).toBe(40);
  });

  it("lets mutations finish and answers them, over HTTP and WebSocket, but takes nothing new", async () => {
    const toy = createToy();
    const server = await startTestServer(toy.schema);
    const client = await openSocket(server.endpoint);
    client.send({ id: "1", type: "subscribe", payload: { query: "mutation { gatedBump }" } });
    const answer = post(server.endpoint, { query: "mutation { gatedBump }" });
    await until(() => toy.waiting() === 2);
    const stopped = server.stop();
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
    client.send({ id: "2", type: "subscribe", payload: { query: "mutation { bump }" } });
    expect(await client.next()).toMatchObject({
      id: "2",
      type: "error",
      payload: [{ extensions: { code: "SERVICE_UNAVAILABLE" } }],
    });
    toy.openGate();
    expect(await answer).toMatchObject({ status: 200 });
    expect(await client.next()).toMatchObject({ id: "1", type: "next" });
    expect(await client.closed).toMatchObject({ code: 1001 });
    await stopped;
    expect(toy.bumps).toBe(2);
  });

  it("waits for a mutation whose client has gone", async () => {
    const toy = createToy();
    const server = await startTestServer(toy.schema);
    const client = await openSocket(server.endpoint);
    client.send({ id: "1", type: "subscribe", payload: { query: "mutation { gatedBump }" } });
    await until(() => toy.waiting() === 1);
    client.socket.terminate();
    await client.closed;
    const bumpsWhenStopped = server.stop().then(() => toy.bumps);
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
    toy.openGate();
    expect(await bumpsWhenStopped).toBe(1);
  });

  it("drops what outlasts the grace period", async () => {
    const toy = createToy();
    const server = await startTestServer(toy.schema, { environment: { PHASELINE_SHUTDOWN_GRACE: "20" } });
    const client = await openSocket(server.endpoint);
    const answer = post(server.endpoint, { query: "mutation { gatedBump }" });
    client.send({ id: "1", type: "subscribe", payload: { query: "mutation { gatedBump }" } });
    await until(() => toy.waiting() === 2);
    await Promise.all([server.stop(), expect(answer).rejects.toThrow()]);
    await client.closed;
    toy.openGate();
  });

  it("closes connections that never asked for anything, and may be stopped twice", async () => {
    const server = await startTestServer(createToy().schema);
    await send(`${server.url}/health`);
    await Promise.all([server.stop(), server.stop()]);
  });

  it("says where it can be reached, and refuses a port that is taken", async () => {
    const server = await startTestServer(createToy().schema);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    await expect(
      startTestServer(createToy().schema, { environment: { PORT: String(server.port) } }),
    ).rejects.toMatchObject({ code: "EADDRINUSE" });
    await server.stop();
  });
});
