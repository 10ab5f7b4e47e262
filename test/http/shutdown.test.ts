import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
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

  it("begins no mutation whose body comes only after that", async () => {
    const toy = createToy();
    const server = await startTestServer(toy.schema);
    const held = post(server.endpoint, { query: "mutation { gatedBump }" });
    await until(() => toy.waiting() === 1);
    const body = JSON.stringify({ query: "mutation { bump }" });
    const late = request(server.endpoint, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": body.length },
      agent: false,
    });
    late.write(body.slice(0, 5));
    // The server has read the head of the late request when it has answered a later one.
    await once(late, "socket");
    await send(`${server.url}/health`);
    const stopped = server.stop();
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
    late.end(body.slice(5));
    const [response] = await once(late, "response");
    expect(response.statusCode).toBe(503);
    expect(JSON.parse(await text(response))).toMatchObject({
      errors: [{ extensions: { code: "SERVICE_UNAVAILABLE" } }],
    });
    toy.openGate();
    expect(await held).toMatchObject({ status: 200 });
    await stopped;
    expect(toy.bumps).toBe(1);
  });

  it("does not wait for clients that read nothing, nor for connections that only one side has ended", async () => {
    const toy = createToy();
    const environment = { PHASELINE_SHUTDOWN_GRACE: "3600000" };
    const server = await startTestServer(toy.schema, { environment });
    const big = { query: "subscription { big(count: 50000) }" };
    const client = await openSocket(server.endpoint);
    client.send({ id: "1", type: "subscribe", payload: big });
    client.socket.pause();
    const stream = request(server.endpoint, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      agent: false,
    });
    stream.end(JSON.stringify(big));
    const [response] = await once(stream, "response");
    response.on("error", () => {});
    const { hostname, port } = new URL(server.url);
    const halfOpen = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    halfOpen.write(
      `GET /elsewhere HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    await until(() => toy.opened === 2 && halfOpen.bytesRead > 0);
    await server.stop();
    expect(toy.returned).toBe(2);
    client.socket.terminate();
    stream.destroy();
    halfOpen.destroy();
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
