import { once } from "node:events";
import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEvents, openSocket, post, startTestServer, type TestServer, until } from "../support/http.js";
import { createToy, type Toy } from "./toy-schema.js";

const TICKS = { query: "subscription { ticks }" };
const GATED_TICKS = { query: "subscription { gatedTicks }" };

let toy: Toy;
let server: TestServer;

beforeEach(async () => {
  toy = createToy();
  server = await startTestServer(toy.schema, {
    environment: { PHASELINE_MAX_OPERATIONS_PER_SOCKET: "1500" },
  });
});

afterEach(async () => {
  toy.openGate();
  await server.stop();
});

describe("the source of a feed is ended", () => {
  it("for each of 100 sockets on a quiet feed, whether they complete or just drop", async () => {
    const clients = await Promise.all(Array.from({ length: 100 }, () => openSocket(server.endpoint)));
    for (const client of clients) client.send({ id: "1", type: "subscribe", payload: TICKS });
    await until(() => toy.opened === 100);
    for (const [n, client] of clients.entries()) {
      if (n % 2 === 0) client.send({ id: "1", type: "complete" });
      else client.socket.terminate();
    }
    await until(() => toy.returned === 100);
    for (const client of clients) client.socket.terminate();
    await Promise.all(clients.map((client) => client.closed));
  });

  it("when the socket drops while subscribing is still pending", async () => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => openSocket(server.endpoint)));
    for (const client of clients) client.send({ id: "1", type: "subscribe", payload: GATED_TICKS });
    await until(() => toy.waiting() === 50);
    for (const client of clients) client.socket.terminate();
    await Promise.all(clients.map((client) => client.closed));
    toy.openGate();
    await until(() => toy.opened === 50 && toy.returned === 50);
  });

  it("when an SSE client drops while subscribing is still pending", async () => {
    const { hostname, port, pathname } = new URL(server.endpoint);
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    const sent = request({ hostname, port, path: pathname, method: "POST", headers, agent: false });
    sent.on("error", () => {});
    sent.end(JSON.stringify(GATED_TICKS));
    await until(() => toy.waiting() === 1);
    sent.destroy();
    await until(() => server.lines.some((line) => line.msg === "operation"));
    toy.openGate();
    await until(() => toy.opened === 1 && toy.returned === 1);
  });

  it("when an operation that still subscribes is completed, also if its id comes again at once", async () => {
    const client = await openSocket(server.endpoint);
    client.send({ id: "1", type: "subscribe", payload: GATED_TICKS });
    await until(() => toy.waiting() === 1);
    client.send({ id: "1", type: "complete" });
    client.send({ id: "1", type: "subscribe", payload: TICKS });
    expect(await client.next()).toMatchObject({
      id: "1",
      type: "error",
      payload: [{ extensions: { code: "OPERATION_ID_IN_USE" } }],
    });
    toy.openGate();
    await until(() => toy.opened === 1 && toy.returned === 1);
    client.send({ id: "1", type: "subscribe", payload: TICKS });
    await until(() => toy.opened === 2);
    client.socket.terminate();
    await until(() => toy.returned === 2);
    await client.closed;
  });
});

describe("a client that stops reading", () => {
  const BIG = { query: "subscription { big(count: 50000) }" };

  it("over WebSocket holds its feed back instead of filling the memory, and ends it by leaving", async () => {
    const client = await openSocket(server.endpoint);
    client.send({ id: "1", type: "subscribe", payload: BIG });
    client.socket.pause();
    await until(() => toy.bumps > 10);
    await manyRoundTrips();
    expect(toy.bumps).toBeLessThan(5000);
    client.socket.terminate();
    await until(() => toy.returned === 1);
    expect(toy.bumps).toBeLessThan(5000);
  });

  it("over many feeds is closed with a code that tells it to resume", async () => {
    const client = await openSocket(server.endpoint);
    client.socket.pause();
    for (let id = 1; id <= 1500; id += 1) client.send({ id: `${id}`, type: "subscribe", payload: BIG });
    await until(() => server.lines.some(({ msg }) => String(msg).includes("does not read")));
    client.socket.resume();
    expect(await client.closed).toMatchObject({ code: 1013, reason: expect.stringContaining("resume") });
    await until(() => toy.returned === toy.opened);
  });

  it("and sends all the same is closed, and nothing that it sends from then on is run", async () => {
    const codes: number[] = [];
    const metrics = {
      contentType: "",
      text: async () => "",
      socketClosed: (code: number) => codes.push(code),
    };
    const other = await startTestServer(toy.schema, {
      environment: { PHASELINE_MAX_UNSENT_BYTES: "65536" },
      metrics,
    });
    const client = await openSocket(other.endpoint);
    client.socket.pause();
    // Each is answered with its own payload; 64 MiB are more than the system keeps between the two.
    const payload = { text: "x".repeat(64 * 1024) };
    for (let n = 0; n < 1024; n += 1) client.send({ type: "ping", payload });
    client.send({ id: "1", type: "subscribe", payload: { query: "mutation { bump }" } });
    await until(() => codes.length === 1);
    expect(toy.bumps).toBe(0);
    client.socket.terminate();
    await other.stop();
  });

  it("over SSE holds its feed back too", async () => {
    const { hostname, port, pathname } = new URL(server.endpoint);
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    const sent = request({ hostname, port, path: pathname, method: "POST", headers, agent: false });
    sent.end(JSON.stringify(BIG));
    const [response] = await once(sent, "response");
    response.on("error", () => {});
    await until(() => toy.bumps > 10);
    await manyRoundTrips();
    expect(toy.bumps).toBeLessThan(5000);
    sent.destroy();
    await until(() => toy.returned === 1);
  });
});

describe("a quiet feed", () => {
  it("over SSE is kept open by comments", async () => {
    const events = await openEvents(server.endpoint, TICKS);
    const next = events.next();
    await until(() => events.comments() > 2);
    toy.tick(1);
    expect(await next).toMatchObject({ data: { data: { ticks: 1 } } });
    events.drop();
  });
});

/** Enough of them for a feed that nothing holds back to come to its end. */
async function manyRoundTrips(): Promise<void> {
  for (let n = 0; n < 100; n += 1) await post(server.endpoint, { query: "{ hello }" });
}
