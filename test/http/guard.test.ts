import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { openSocket, send, startTestServer, type TestServer } from "../support/http.js";
import { createToy, type Toy } from "./toy-schema.js";

const JSON_TYPE = { "content-type": "application/json" };
const HELLO = JSON.stringify({ query: "{ hello }" });
const BUMP = JSON.stringify({ query: "mutation { bump }" });

let toy: Toy;
let server: TestServer;

beforeAll(async () => {
  toy = createToy();
  server = await startTestServer(toy.schema, {
    environment: {
      PHASELINE_ALLOWED_HOSTS: "plans.example,[fd00::1]",
      PHASELINE_ALLOWED_ORIGINS: "https://dashboard.example",
    },
  });
});

afterAll(() => server.stop());

function codeOf(answer: { body: string }): unknown {
  return JSON.parse(answer.body).errors[0].extensions.code;
}

/** The status that an upgrade with these headers is answered with; 101 where it is taken. */
async function upgradeStatus(headers: Record<string, string>): Promise<number | undefined> {
  const socket = new WebSocket(server.endpoint.replace("http", "ws"), "graphql-transport-ws", { headers });
  socket.on("error", () => {});
  const status = await Promise.race([
    once(socket, "open").then(() => 101),
    once(socket, "unexpected-response").then(([request, response]) => {
      request.destroy();
      return response.statusCode;
    }),
  ]);
  socket.terminate();
  return status;
}

describe("a Host header", () => {
  it.each([
    "localhost",
    "127.0.0.1:4000",
    "[::1]:4000",
    "app.localhost",
    "plans.example:443",
    "[FD00::1]:4000",
  ])("%s is known", async (host) => {
    const headers = { host, ...JSON_TYPE };
    expect(await send(server.endpoint, { method: "POST", headers, body: HELLO })).toMatchObject({
      status: 200,
    });
    expect(await upgradeStatus({ host })).toBe(101);
  });

  it.each(["attacker.example", "localhost.attacker.example", "127.0.0.1.nip.io", "localhost:80:80"])(
    "%j is refused everywhere",
    async (host) => {
      const headers = { host, ...JSON_TYPE };
      const answer = await send(server.endpoint, { method: "POST", headers, body: BUMP });
      expect(answer.status).toBe(403);
      expect(codeOf(answer)).toBe("HOST_NOT_ALLOWED");
      expect(await upgradeStatus({ host })).toBe(403);
      expect(toy.bumps).toBe(0);
    },
  );

  it("does not matter to the probes, which tell nothing", async () => {
    expect(await send(`${server.url}/health`, { headers: { host: "10.0.0.7" } })).toMatchObject({
      status: 200,
    });
  });
});

describe("an Origin header", () => {
  it.each([
    "http://localhost:5173",
    "http://127.0.0.1:4000",
    "https://dashboard.example",
    "https://plans.example",
  ])("%s is allowed, and its pages may read the answer", async (origin) => {
    const answer = await send(server.endpoint, {
      method: "POST",
      headers: { origin, ...JSON_TYPE },
      body: HELLO,
    });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "access-control-allow-origin": origin, vary: "Origin" },
    });
    expect(await upgradeStatus({ origin })).toBe(101);
  });

  it.each([
    "https://attacker.example",
    "null",
    "https://dashboard.example.attacker.example",
    "file://",
    "http://dashboard.example",
  ])("%s is refused, over every transport", async (origin) => {
    const requests: Parameters<typeof send>[1][] = [
      { method: "POST", headers: { origin, ...JSON_TYPE }, body: BUMP },
      { headers: { origin, accept: "text/event-stream" } },
      { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } },
    ];
    for (const request of requests) {
      const answer = await send(`${server.endpoint}?query={hello}`, request);
      expect(answer.status).toBe(403);
      expect(codeOf(answer)).toBe("ORIGIN_NOT_ALLOWED");
      expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    }
    expect(await upgradeStatus({ origin })).toBe(403);
    expect(toy.bumps).toBe(0);
  });

  it("that is allowed gets its preflight answered", async () => {
    const answer = await send(server.endpoint, {
      method: "OPTIONS",
      headers: {
        origin: "https://dashboard.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-phaseline-actor",
      },
    });
    expect(answer).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": "https://dashboard.example",
        "access-control-allow-headers": "content-type,x-phaseline-actor",
        "access-control-allow-methods": "GET, POST",
      },
    });
  });
});

describe("a page of another site", () => {
  it("can't have its visitor's browser run an operation without naming its origin", async () => {
    for (const site of ["cross-site", "same-site"]) {
      const headers = { accept: "text/event-stream", "sec-fetch-site": site };
      const answer = await send(`${server.endpoint}?query={hello}`, { headers });
      expect(answer.status).toBe(403);
      expect(codeOf(answer)).toBe("CROSS_SITE_REQUEST");
    }
  });

  it("may link to the playground", async () => {
    const headers = { accept: "text/html", "sec-fetch-site": "cross-site" };
    expect(await send(server.endpoint, { headers })).toMatchObject({ status: 200 });
  });
});

describe("an operation", () => {
  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain; application/json",
    "application/graphql",
    "",
  ])("posted as %j is refused and changes nothing", async (type) => {
    const answer = await send(server.endpoint, {
      method: "POST",
      headers: { "content-type": type },
      body: BUMP,
    });
    expect(answer.status).toBe(415);
    expect(codeOf(answer)).toBe("UNSUPPORTED_MEDIA_TYPE");
    expect(toy.bumps).toBe(0);
  });

  it("may say which charset its JSON has", async () => {
    const headers = { "content-type": "Application/JSON; charset=utf-8" };
    expect(await send(server.endpoint, { method: "POST", headers, body: HELLO })).toMatchObject({
      status: 200,
    });
  });

  it("sent with GET needs a header that no simple request has", async () => {
    const url = `${server.endpoint}?query={hello}`;
    const plain = await send(url);
    expect(plain.status).toBe(403);
    expect(codeOf(plain)).toBe("PREFLIGHT_REQUIRED");
    const forcing: Record<string, string>[] = [
      { "x-phaseline-csrf": "1" },
      { "apollo-require-preflight": "1" },
      JSON_TYPE,
    ];
    for (const headers of forcing) {
      expect(await send(url, { headers })).toMatchObject({
        status: 200,
        body: '{"data":{"hello":"hello world"}}',
      });
    }
  });

  it("sent by an EventSource, which can set no header, is answered as a stream", async () => {
    const headers = { accept: "text/event-stream", "sec-fetch-site": "same-origin" };
    const answer = await send(`${server.endpoint}?query={hello}`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('event: next\ndata: {"data":{"hello":"hello world"}}\n\nevent: complete');
  });

  it("never mutates with GET, whichever operation of the document is picked", async () => {
    const query = encodeURIComponent("query Q { hello } mutation M { bump }");
    const allowedToGet: Record<string, string>[] = [
      { "x-phaseline-csrf": "1" },
      { accept: "text/event-stream" },
    ];
    for (const headers of allowedToGet) {
      for (const picked of [`${query}&operationName=M`, encodeURIComponent("mutation { bump }")]) {
        const answer = await send(`${server.endpoint}?query=${picked}`, { headers });
        expect(answer.status).toBe(405);
      }
    }
    expect(toy.bumps).toBe(0);
  });

  it.each(["PUT", "DELETE", "PATCH"])("sent with %s is refused", async (method) => {
    const answer = await send(server.endpoint, { method, headers: JSON_TYPE, body: BUMP });
    expect(answer).toMatchObject({ status: 405, headers: { allow: "GET, POST, OPTIONS" } });
  });

  it("that accepts none of the server's answers is told which there are", async () => {
    const headers = { accept: "image/png", ...JSON_TYPE };
    const answer = await send(server.endpoint, { method: "POST", headers, body: HELLO });
    expect(answer.status).toBe(406);
    expect(codeOf(answer)).toBe("NOT_ACCEPTABLE");
  });

  it("over WebSocket may come from a program, which has no origin", async () => {
    const client = await openSocket(server.endpoint);
    client.socket.terminate();
    await client.closed;
  });
});

describe("a path", () => {
  it("that is empty leads to the API", async () => {
    expect(await send(`${server.url}/`)).toMatchObject({ status: 302, headers: { location: "/graphql" } });
  });

  it("that is unknown is not found, also for an upgrade", async () => {
    expect(await send(`${server.url}/secrets`)).toMatchObject({ status: 404 });
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/secrets`, "graphql-transport-ws");
    socket.on("error", () => {});
    const [request, response] = await once(socket, "unexpected-response");
    expect(response.statusCode).toBe(404);
    request.destroy();
  });
});
