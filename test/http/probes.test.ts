import { afterEach, describe, expect, it } from "vitest";
import { gate } from "../support/gate.js";
import { send, startTestServer, type TestServer, until } from "../support/http.js";
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

  it("ask the database once, however many of them wait for it, and for an answer in less than two seconds", async () => {
    const limits: number[] = [];
    const database = gate();
    server = await startTestServer(createToy().schema, {
      ready: async (limitMs) => {
        limits.push(limitMs);
        await database.passed;
        return true;
      },
    });
    const probes = Array.from({ length: 10 }, () => send(`${server.url}/ready`));
    await until(() => limits.length === 1);
    for (let n = 0; n < 10; n += 1) await send(`${server.url}/health`);
    database.open();
    for (const answer of await Promise.all(probes)) expect(answer.status).toBe(200);
    expect(limits).toEqual([expect.toSatisfy((limitMs: number) => limitMs < 2_000)]);
  });
});
