/** Subscribers that leave, in any way and at any moment, leave nothing behind, even if no event ever comes. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, startTestApp, type TestApp } from "../support/app.js";
import { createServerDatabase } from "../support/databases.js";
import { FEED, openFeed } from "../support/feeds.js";
import type { EventStream, SocketClient } from "../support/http.js";
import { createPlan, succeed } from "../support/plans.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

async function subscribers(app: TestApp): Promise<number> {
  const metrics = await (await fetch(new URL("/metrics", app.endpoint))).text();
  return Number(/^phaseline_feed_subscribers (\d+)/m.exec(metrics)?.[1]);
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

function memory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe.each(appHomes)("subscribers ($name)", ({ name, start }) => {
  // The embedded database shares its thread with the clients.
  const sockets = name === "server" ? 24 : 6;

  let app: TestApp;
  let planId: string;
  beforeAll(async () => {
    app = await start();
    planId = (await createPlan(app)).id;
  });
  afterAll(() => app.close());

  const quiet = () => [
    { query: FEED, variables: { filter: { planIds: [planId] } } },
    { query: FEED, variables: { filter: { tags: ["nobody"] } } },
    { query: `subscription { planUpdated(id: "${planId}") { version } }` },
    { query: "subscription { planCounts { total } }" },
  ];

  /** Subscriptions on sockets and streams of their own, each of which has begun. */
  async function openCrowd(sockets: number, operations: number, streams: number) {
    const clients: SocketClient[] = [];
    for (let index = 0; index < sockets; index += 1) {
      const client = await app.socket();
      for (let operation = 0; operation < operations; operation += 1)
        client.send({ id: `${operation}`, type: "subscribe", payload: quiet()[operation % 4] });
      for (let operation = 0; operation < operations; operation += 1) await client.next();
      clients.push(client);
    }
    const opened: EventStream[] = [];
    for (let index = 0; index < streams; index += 1) {
      const operation = quiet()[index % 4];
      if (operation === undefined) continue;
      const stream = await app.events(operation.query, operation.variables);
      await stream.next();
      opened.push(stream);
    }
    return { clients, streams: opened };
  }

  /** Half of the sockets complete their operations one by one; the rest just drop. */
  async function leave({ clients, streams }: Awaited<ReturnType<typeof openCrowd>>, operations: number) {
    for (const [index, client] of clients.entries()) {
      if (index % 2 === 0) {
        for (let operation = 0; operation < operations; operation += 1)
          client.send({ id: `${operation}`, type: "complete" });
      } else client.socket.terminate();
    }
    for (const stream of streams) stream.drop();
    await expect.poll(() => subscribers(app), { timeout: 60_000 }).toBe(0);
    for (const client of clients) client.socket.terminate();
    await Promise.all(clients.map(({ closed }) => closed));
  }

  it("that come and go by the thousand, without any event, leave no timer and no memory", async () => {
    const timersBefore = timers();
    await leave(await openCrowd(2, 80, 20), 80);
    const memoryBefore = memory();
    const crowd = await openCrowd(sockets, 80, 80);
    // All but the counts are feeds of their own.
    expect(await subscribers(app)).toBe((sockets + 1) * 80 * 0.75);
    const meanwhile = memory();
    await leave(crowd, 80);
    crowd.clients.length = 0;
    crowd.streams.length = 0;
    await expect.poll(timers, { timeout: 30_000 }).toBeLessThanOrEqual(timersBefore);
    // A tenth of what they took may be due to caches that were warm before.
    const taken = meanwhile - memoryBefore;
    await expect
      .poll(() => memory() - memoryBefore, { timeout: 30_000 })
      .toBeLessThan(taken / 10 + 1024 * 1024);
  });

  it("of one plan do not need each other: one leaves, and the other gets the next event, 200 times", async () => {
    const filter = { planIds: [planId] };
    const client = await app.socket();
    const payload = { query: FEED, variables: { filter } };
    client.send({ id: "stays", type: "subscribe", payload });
    await client.next();
    for (let round = 0; round < 200; round += 1) {
      const id = `leaves ${round}`;
      client.send({ id, type: "subscribe", payload });
      // From at once to a few milliseconds later, while it begins and after.
      if (round % 4 > 0) await new Promise((resolve) => setTimeout(resolve, round % 4));
      client.send({ id, type: "complete" });
      const { cursor } = await succeed(app, "setTags", { planId, tags: [id] });
      for (;;) {
        const frame = await client.next();
        if (frame.id !== "stays") continue;
        expect(frame.payload).toMatchObject({ data: { planEvents: { cursor } } });
        break;
      }
    }
    client.socket.terminate();
    await client.closed;
  });
});

describe("sockets that close while their subscriptions wait for the database", () => {
  it("leave nothing behind, a thousand of them", async () => {
    const app = await startTestApp(await createServerDatabase("migrated"));
    if (app.place.config.kind !== "server") throw new Error("This needs a second connection.");
    const holder = new pg.Client({ connectionString: app.place.config.url });
    await holder.connect();
    try {
      const before = timers();
      await holder.query("BEGIN; LOCK TABLE event_log IN ACCESS EXCLUSIVE MODE");
      for (let round = 0; round < 20; round += 1) {
        const clients = await Promise.all(Array.from({ length: 50 }, () => app.socket()));
        for (const client of clients)
          client.send({ id: "1", type: "subscribe", payload: { query: FEED, variables: {} } });
        // What comes back on a socket tells that what was sent before has arrived.
        for (const client of clients) client.send({ type: "ping" });
        for (const client of clients) expect(await client.next()).toEqual({ type: "pong" });
        for (const client of clients) client.socket.terminate();
        await Promise.all(clients.map(({ closed }) => closed));
      }
      await holder.query("ROLLBACK");
      await expect.poll(() => subscribers(app), { timeout: 60_000 }).toBe(0);
      const feed = await openFeed(app.endpoint, "websocket");
      await feed.next();
      const { id } = await createPlan(app);
      expect(await feed.event()).toMatchObject({ planId: id });
      feed.drop();
      await expect.poll(() => subscribers(app), { timeout: 60_000 }).toBe(0);
      await expect.poll(timers, { timeout: 60_000 }).toBeLessThanOrEqual(before);
    } finally {
      await holder.end();
      await app.close();
    }
  });
});
