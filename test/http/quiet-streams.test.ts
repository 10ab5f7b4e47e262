/** Feeds on which nothing happens, behind a proxy that drops idle connections; test/soak has the long form. */
import { expect, it } from "vitest";
import { openEvents, startTestServer, until } from "../support/http.js";
import { startIdleProxy } from "../support/idle-proxy.js";
import { createToy } from "./toy-schema.js";

const TICKS = { query: "subscription { ticks }" };
const IDLE_MS = 600;

it("a quiet event stream outlives many times the idle limit of a proxy, and then brings its event", async () => {
  const toy = createToy();
  const server = await startTestServer(toy.schema, { keepAliveMs: IDLE_MS / 10 });
  const proxy = await startIdleProxy(server.port, IDLE_MS);
  const events = await openEvents(`http://127.0.0.1:${proxy.port}/graphql`, TICKS);
  const next = events.next();
  await until(() => events.comments() >= 40);
  toy.tick(1);
  expect(await next).toMatchObject({ data: { data: { ticks: 1 } } });
  expect(proxy.dropped()).toBe(0);
  events.drop();
  await proxy.close();
  await server.stop();
});

it("the proxy of these tests drops a stream that is not kept open", async () => {
  const toy = createToy();
  const server = await startTestServer(toy.schema, { keepAliveMs: 1_000 * IDLE_MS });
  const proxy = await startIdleProxy(server.port, IDLE_MS);
  const events = await openEvents(`http://127.0.0.1:${proxy.port}/graphql`, TICKS);
  await expect(events.next()).rejects.toThrow();
  await until(() => toy.returned === 1);
  expect(proxy.dropped()).toBe(1);
  await proxy.close();
  await server.stop();
});
