/** Two servers on one database: what one commits, the other's feeds bring, whatever happens to the wake-ups. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app.js";
import { administrate, createServerDatabase } from "../support/databases.js";
import { openFeed, TRANSPORTS } from "../support/feeds.js";
import { createPlan, succeed } from "../support/plans.js";
import { type OwnPostgresServer, startOwnPostgresServer } from "../support/postgres-server.js";

/** Feeds of one server over both transports, from now on. */
async function followers(app: TestApp) {
  const feeds = await Promise.all(TRANSPORTS.map((transport) => openFeed(app.endpoint, transport)));
  for (const feed of feeds) expect(await feed.next()).toMatchObject({ __typename: "FeedCheckpoint" });
  return feeds;
}

async function createPlans(app: TestApp, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await createPlan(app);
}

describe("two servers", () => {
  let writer: TestApp;
  let reader: TestApp;
  let url: string;
  beforeAll(async () => {
    const place = await createServerDatabase("migrated");
    url = place.config.url;
    writer = await startTestApp(place);
    reader = await startTestApp(place);
  });
  afterAll(async () => {
    await reader.stop();
    await writer.close();
  });

  it("carry event data of 10 KB, and of 3,000 emoji, from one to the other", async () => {
    const feeds = await followers(reader);
    const { id: planId } = await createPlan(writer);
    await succeed(writer, "startPhase", { planId });
    const details = { large: "x".repeat(10_240), emoji: "😀".repeat(3_000) };
    await succeed(writer, "failPhase", { planId, message: "🙃".repeat(3_000), details });
    for (const feed of feeds) {
      expect(await feed.event()).toMatchObject({ type: "PLAN_CREATED" });
      expect(await feed.event()).toMatchObject({ type: "PHASE_STARTED" });
      const { data } = await feed.event();
      expect(data).toMatchObject({ message: "🙃".repeat(3_000), details });
      feed.drop();
    }
  });

  it("bring every event of a burst", async () => {
    const feeds = await followers(reader);
    const head = (await writer.ask<{ asOf: string }>("{ asOf }")).asOf;
    await Promise.all(Array.from({ length: 40 }, () => createPlan(writer)));
    const first = await openFeed(writer.endpoint, "sse", { after: head });
    const seqs = await first.seqs(40);
    expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    first.drop();
    for (const feed of feeds) {
      expect(await feed.seqs(40)).toEqual(seqs);
      feed.drop();
    }
  });

  it("bring the events that were committed while the connections that listen were ended", async () => {
    const feeds = await followers(reader);
    const ended = await administrate(
      (admin) =>
        admin.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
        ),
      url,
    );
    expect(ended.rowCount).toBe(2);
    await createPlans(writer, 3);
    for (const feed of feeds) {
      const seqs = await feed.seqs(3);
      expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
      feed.drop();
    }
  });

  it("bring the events of which nobody is told", async () => {
    await administrate((admin) => admin.query("DROP TRIGGER event_log_wakes_readers ON event_log"), url);
    const feeds = await followers(reader);
    await createPlans(writer, 3);
    for (const feed of feeds) {
      expect(await feed.seqs(3)).toHaveLength(3);
      feed.drop();
    }
  });
});

describe("a server whose database is stopped for a while", () => {
  let postgres: OwnPostgresServer;
  beforeAll(async () => {
    postgres = await startOwnPostgresServer();
  });
  afterAll(() => postgres.stop());

  it("lives, says that it is not ready, and brings all events by itself once the database is back", async () => {
    const config = { kind: "server", url: postgres.url, poolSize: 5, statementTimeoutMs: 10_000 } as const;
    const place = { config, remove: async () => {} };
    const writer = await startTestApp(place);
    const reader = await startTestApp(place);
    const status = (app: TestApp, path: string) => async () =>
      (await fetch(new URL(path, app.endpoint))).status;
    const { id: planId } = await createPlan(writer);
    const feeds = await followers(reader);
    const counts = await reader.events("subscription { planCounts { total } }");
    expect((await counts.next())?.data?.data).toEqual({ planCounts: { total: 1 } });

    await createPlans(writer, 2);
    await postgres.halt();
    await expect.poll(status(reader, "/ready"), { timeout: 30_000 }).toBe(503);
    expect(await status(reader, "/health")()).toBe(200);
    const refused = await openFeed(reader.endpoint, "websocket");
    await expect(refused.next()).rejects.toThrow("INTERNAL_SERVER_ERROR");
    refused.drop();
    const failed = await writer.send(
      `mutation { cancelPlan(input: { planId: "${planId}" }) { __typename } }`,
    );
    expect(failed.body.errors?.[0]?.extensions.code).toBe("INTERNAL_SERVER_ERROR");

    await postgres.resume();
    for (const app of [writer, reader])
      await expect.poll(status(app, "/ready"), { timeout: 30_000 }).toBe(200);
    await createPlans(writer, 2);
    for (const feed of feeds) {
      expect(await feed.seqs(4)).toEqual([2, 3, 4, 5]);
      feed.drop();
    }
    counts.drop();
    await reader.stop();
    await writer.stop();
  });
});
