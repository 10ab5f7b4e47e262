import { afterEach, describe, expect, it } from "vitest";
import { send, startTestServer, type TestServer } from "../support/http.js";
import { createToy } from "./toy-schema.js";

let server: TestServer;

afterEach(() => server.stop());

describe("the probes", () => {
  it("say that a server with its database is alive and ready", async () => {
    server = await startTestServer(createToy().schema);
    expect(await send(`${server.url}/health`)).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    expect(await send(`${server.url}/ready`)).toMatchObject({ status: 200, body: '{"status":"ready"}' });
  });

  it.each([
    ["is down", () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.7"))],
    ["is not migrated", () => Promise.resolve(false)],
    ["hangs", () => new Promise<boolean>(() => {})],
  ])("say that a server whose database %s is alive and not ready", async (_how, ready) => {
    server = await startTestServer(createToy().schema, { ready });
    expect(await send(`${server.url}/ready`)).toMatchObject({
      status: 503,
      body: '{"status":"unavailable"}',
    });
    expect(await send(`${server.url}/health`)).toMatchObject({ status: 200 });
  });

  it("say so again as soon as the database is back", async () => {
    let isUp = false;
    server = await startTestServer(createToy().schema, { ready: async () => isUp });
    expect(await send(`${server.url}/ready`)).toMatchObject({ status: 503 });
    isUp = true;
    expect(await send(`${server.url}/ready`)).toMatchObject({ status: 200 });
  });

  it("ask the database once, however many of them wait for it", async () => {
    let asked = 0;
    server = await startTestServer(createToy().schema, {
      ready: () => {
        asked += 1;
        return new Promise(() => {});
      },
    });
    await Promise.all(Array.from({ length: 10 }, () => send(`${server.url}/ready`)));
    expect(asked).toBe(1);
  });
});
