/** A server that stops: its feeds end so that their clients resume, and what was acknowledged stays. */
import pg from "pg";
import { expect, it } from "vitest";
import { startTestApp } from "../support/app.js";
import { createDirectory, createServerDatabase } from "../support/databases.js";
import { FEED, openFeed } from "../support/feeds.js";
import { openEvents, openSocket, post } from "../support/http.js";
import { createPlan } from "../support/plans.js";
import { startServerProcess } from "../support/server-process.js";
import { killUnderWrites, plansInLog } from "./kills.js";

const CREATE = `mutation { createPlan(input: { actionName: "local/review", projectLinks: [{ projectName: "local/shop" }] }) {
  ... on CommandSuccess { plan { phase } } } }`;

it("SIGTERM ends 20 sockets with 1001 and 20 streams, the process exits with 0, and its database opens clean", async () => {
  const place = await createDirectory("migrated");
  const server = await startServerProcess(place.config);
  const feed = { query: FEED, variables: {} };
  const clients = await Promise.all(Array.from({ length: 20 }, () => openSocket(server.endpoint)));
  for (const client of clients) client.send({ id: "1", type: "subscribe", payload: feed });
  const streams = await Promise.all(Array.from({ length: 20 }, () => openEvents(server.endpoint, feed)));
  for (const one of [...clients, ...streams]) await one.next();

  await server.kill("SIGTERM");
  expect(await server.exited()).toBe(0);
  for (const client of clients) {
    expect(await client.closed).toMatchObject({ code: 1001 });
    await expect(client.next()).rejects.toThrow("closed before");
  }
  for (const stream of streams) expect(await stream.next()).toBeNull();

  const app = await startTestApp(place);
  await createPlan(app);
  const replay = await openFeed(app.endpoint, "sse");
  expect(await replay.next()).toMatchObject({ __typename: "FeedCheckpoint" });
  replay.drop();
  await app.close();
});

it("all that was acknowledged before a kill is in the log of the next start, from 1 on without a gap", async () => {
  const place = await createDirectory("migrated");
  const acknowledged = await killUnderWrites(place, 2, 40);
  expect(acknowledged.length).toBeGreaterThanOrEqual(80);
  expect(await plansInLog(place, acknowledged)).toEqual(expect.arrayContaining(acknowledged));
});

it("SIGTERM lets a command finish first; its feeds are told nothing, and a client that does not read is no hindrance", async () => {
  const place = await createServerDatabase("migrated");
  const server = await startServerProcess(place.config);
  const client = await openSocket(server.endpoint);
  client.send({ id: "1", type: "subscribe", payload: { query: FEED, variables: {} } });
  client.send({ id: "2", type: "subscribe", payload: { query: "subscription { planCounts { total } }" } });
  await client.next();
  await client.next();
  const stream = await openEvents(server.endpoint, { query: FEED, variables: {} });
  await stream.next();
  const silent = await openSocket(server.endpoint);
  silent.send({ id: "1", type: "subscribe", payload: { query: FEED, variables: {} } });
  await silent.next();
  silent.socket.pause();

  const holder = new pg.Client({ connectionString: place.config.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT seq FROM event_log FOR UPDATE");
  const command = post(server.endpoint, { query: CREATE });
  const blocked = "SELECT pid FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))";
  await expect.poll(async () => (await holder.query(blocked)).rowCount, { timeout: 30_000 }).toBe(1);
  const killed = server.kill("SIGTERM");
  const health = () =>
    fetch(new URL("/health", server.endpoint)).then(
      ({ status }) => status,
      () => null,
    );
  await expect.poll(health, { timeout: 30_000 }).toBe(null);
  await holder.query("ROLLBACK");
  await holder.end();

  expect((await command).body).toMatchObject({ data: { createPlan: { plan: { phase: "STRATEGIZE" } } } });
  // The command's own event may still come by; that the feeds are complete is said to nobody.
  const frames = [];
  for (;;) {
    const frame = await client.next().catch(() => null);
    if (frame === null) break;
    frames.push(frame.type);
  }
  expect(frames.filter((type) => type !== "next")).toEqual([]);
  expect(await client.closed).toMatchObject({ code: 1001 });
  const events = [];
  for (let event = await stream.next(); event !== null; event = await stream.next()) events.push(event.event);
  expect(events.filter((event) => event !== "next")).toEqual([]);
  await killed;
  expect(await server.exited(), server.output()).toBe(0);
  silent.socket.terminate();
  await place.remove();
});
