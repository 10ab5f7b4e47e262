import { once } from "node:events";
import { connect, Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSocket, post, startTestServer, type TestServer } from "../support/http.js";
import { createToy } from "./toy-schema.js";

const FIFTY_MEGABYTES = 50 * 1024 * 1024;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(createToy().schema);
});

afterAll(() => server.stop());

/** Sends all of a body whatever the server says meanwhile, and answers what it said. */
async function insistOnSending(
  header: string,
  frame: (chunk: Buffer) => Buffer,
  end: string,
): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  let answer = "";
  socket.on("data", (data) => {
    answer += data;
  });
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${header}\r\n\r\n`,
  );
  const chunk = frame(Buffer.alloc(64 * 1024, "x"));
  for (let sent = 0; sent < FIFTY_MEGABYTES; sent += 64 * 1024) {
    if (!socket.write(chunk)) await once(socket, "drain");
    if (sent === 0)
      expect(await post(server.endpoint, { query: "{ hello }" })).toMatchObject({ status: 200 });
  }
  socket.end(end);
  await once(socket, "close");
  return answer;
}

describe("a body over the limit", () => {
  it("of 50 MB is refused by its length, while others are served", async () => {
    const answer = await insistOnSending(`Content-Length: ${FIFTY_MEGABYTES}`, (chunk) => chunk, "");
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain("BODY_TOO_LARGE");
  });

  it("of 50 MB in chunks is refused once it is known, while others are served", async () => {
    const frame = (chunk: Buffer) => Buffer.concat([Buffer.from("10000\r\n"), chunk, Buffer.from("\r\n")]);
    const answer = await insistOnSending("Transfer-Encoding: chunked", frame, "0\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain("BODY_TOO_LARGE");
  });

  it("of one byte too many is refused, and one of exactly the limit is read", async () => {
    const bodyOf = (length: number) => `{"query":"{ hello }"${" ".repeat(length - 21)}}`;
    const limit = 4 * 1024 * 1024;
    expect(await post(server.endpoint, bodyOf(limit))).toMatchObject({ status: 200 });
    expect(await post(server.endpoint, bodyOf(limit + 1))).toMatchObject({ status: 413 });
  });
});

it("bodies that come slowly find an end together, keep no ordinary question out, and leave their room behind", async () => {
  const limit = 64 * 1024;
  const crowded = await startTestServer(createToy().schema, {
    environment: { PHASELINE_MAX_BODY_BYTES: String(limit) },
  });
  const large = `{"query":"{ hello }"${" ".repeat(limit - 21)}}`;
  const half = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${limit}\r\n\r\n${large.slice(0, -1)}`;
  const sockets = Array.from({ length: 60 }, () => connect(crowded.port, "127.0.0.1"));
  const refusal = Promise.any(sockets.map(async (socket) => String(await once(socket, "data"))));
  for (const socket of sockets) socket.write(half);
  expect(await refusal).toMatch(/^HTTP\/1.1 503 .*TOO_MANY_BODIES/s);
  expect(await post(crowded.endpoint, { query: "{ hello }" })).toMatchObject({ status: 200 });
  for (const socket of sockets) socket.destroy();
  // As many as may be held at once, one after the other, and again: each gives its room back.
  for (let round = 0; round < 80; round += 1)
    await expect
      .poll(async () => (await post(crowded.endpoint, large)).status, { timeout: 30_000 })
      .toBe(200);
  await crowded.stop();
});

it("a failure of the HTTP server itself is told, and others go on", async () => {
  const listen = vi.spyOn(Server.prototype, "listen");
  const failing = await startTestServer(createToy().schema);
  const [http] = listen.mock.contexts as Server[];
  listen.mockRestore();
  http?.emit("error", new Error("accept EMFILE"));
  expect(failing.lines).toContainEqual(expect.objectContaining({ msg: "the HTTP server had a failure" }));
  expect(await post(failing.endpoint, { query: "{ hello }" })).toMatchObject({ status: 200 });
  await failing.stop();
});

describe("a WebSocket frame over the limit", () => {
  it("of 50 MB closes its socket with 1009, and others go on", async () => {
    const [client, other] = await Promise.all([openSocket(server.endpoint), openSocket(server.endpoint)]);
    client.socket.send(Buffer.alloc(FIFTY_MEGABYTES, "x"), () => {});
    expect(await client.closed).toMatchObject({ code: 1009 });
    other.send({ id: "1", type: "subscribe", payload: { query: "{ hello }" } });
    expect(await other.next()).toMatchObject({ type: "next" });
    other.socket.close();
    await other.closed;
  });
});

it("a body of more than a million small values is refused before it is read, and texts count as one", async () => {
  const { status, body } = await post(
    server.endpoint,
    `{"query":"{ hello }","variables":{"list":[${"[],".repeat(510_000)}[]]}}`,
  );
  expect({ status, code: body.errors?.[0]?.extensions.code }).toEqual({
    status: 413,
    code: "BODY_TOO_LARGE",
  });
  const text = JSON.stringify({ query: "{ hello }", variables: { text: `"[,{\\"`.repeat(300_000) } });
  expect(await post(server.endpoint, text)).toMatchObject({ status: 200 });
});
