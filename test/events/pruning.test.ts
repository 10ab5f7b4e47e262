/** What retention may take of the log, and what those who follow it hear of that. */
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { connectDatabase } from "../../src/database/connect.js";
import { Prisma } from "../../src/database/generated/client.js";
import { eventFeeds } from "../../src/events/feeds.js";
import { startPruning } from "../../src/events/pruning.js";
import { type EventLog, openEventLog, type Retention } from "../../src/events/store.js";
import { Tail } from "../../src/events/tail.js";
import { createServerDatabase, homes, type OpenDatabase } from "../support/databases.js";
import { gate } from "../support/gate.js";
import { addPlans, emptyLog, fillLog } from "./filled-log.js";

const observer = {
  ringHit: () => {},
  batchRead: () => {},
  eventDelivered: () => {},
  eventsRead: () => {},
  wokenUp: () => {},
};
const KEEP_FIVE: Retention = { maxAgeMs: null, maxEvents: 5 };
const HOUR_MS = 3_600_000;
const onError = (error: unknown) => expect.unreachable(String(error));

describe.each(homes)("retention ($name)", ({ open }) => {
  let home: OpenDatabase;
  let log: EventLog;

  beforeAll(async () => {
    home = await open();
    log = await openEventLog(home.database);
  });
  afterAll(() => home.close());
  beforeEach(() => emptyLog(home.database));

  async function kept(): Promise<number[]> {
    const rows = await home.database.read<{ seq: string }>(
      Prisma.sql`SELECT seq::text FROM plan_event ORDER BY plan_event.seq`,
    );
    return rows.map(({ seq }) => Number(seq));
  }

  it("by count takes all but the newest events and the last one of each plan, a few at a step", async () => {
    await addPlans(home.database, ["A", "B"]);
    await fillLog(home.database, "A", 10);
    await fillLog(home.database, "B", 10);
    expect(await log.prune(0n, 4, KEEP_FIVE)).toEqual({ deleted: 4, lookedTo: 4n });
    expect(await log.extent()).toEqual({ head: 20n, prunedTo: 4n });
    expect(await log.prune(4n, 7, KEEP_FIVE)).toEqual({ deleted: 6, lookedTo: 11n });
    expect(await log.prune(11n, 100, KEEP_FIVE)).toEqual({ deleted: 4, lookedTo: 15n });
    expect(await log.prune(15n, 100, KEEP_FIVE)).toEqual({ deleted: 0, lookedTo: null });
    expect(await kept()).toEqual([10, 16, 17, 18, 19, 20]);
    expect(await log.extent()).toEqual({ head: 20n, prunedTo: 15n });
  });

  it("by age takes what is older, whatever the count", async () => {
    await addPlans(home.database, ["A", "B"]);
    await fillLog(home.database, "A", 3, "{}", new Date(Date.now() - 2 * HOUR_MS));
    await fillLog(home.database, "B", 3, "{}", new Date());
    expect(await log.prune(0n, 100, { maxAgeMs: HOUR_MS, maxEvents: null })).toMatchObject({ deleted: 2 });
    expect(await kept()).toEqual([3, 4, 5, 6]);
    expect(await log.prune(0n, 100, { maxAgeMs: HOUR_MS, maxEvents: 1 })).toMatchObject({ deleted: 2 });
    expect(await kept()).toEqual([3, 6]);
  });

  it("leaves the head of a quiet log alone", async () => {
    await addPlans(home.database, ["A"]);
    await fillLog(home.database, "A", 10);
    const version = () => home.database.read(Prisma.sql`SELECT xmin::text FROM event_log`);
    const before = await version();
    expect(await log.prune(0n, 100, KEEP_FIVE)).toMatchObject({ deleted: 5 });
    const moved = await version();
    expect(moved).not.toEqual(before);
    await log.prune(0n, 100, KEEP_FIVE);
    expect(await version()).toEqual(moved);
  });

  it("goes on in the background until it is stopped, also after a step that failed", async () => {
    await addPlans(home.database, ["A"]);
    await fillLog(home.database, "A", 100);
    const errors: unknown[] = [];
    let steps = 0;
    const failing: EventLog = {
      ...log,
      prune: (...asked) => {
        steps += 1;
        return steps === 2 ? Promise.reject(new Error("down")) : log.prune(...asked);
      },
    };
    const stop = startPruning(failing, {
      retention: KEEP_FIVE,
      everyMs: 1,
      stepSize: 10,
      onError: (error) => errors.push(error),
    });
    await vi.waitFor(async () => expect((await kept()).length).toBe(5), { timeout: 30_000 });
    await stop();
    expect(errors).toEqual([new Error("down")]);
    const after = steps;
    await new Promise((resolve) => setImmediate(resolve));
    expect(steps).toBe(after);
  });

  it("steps on at once while there is something to delete, and else waits", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await addPlans(home.database, ["A"]);
      await fillLog(home.database, "A", 100);
      const deleted: number[] = [];
      const quiet = gate();
      const watched: EventLog = {
        ...log,
        async prune(...asked) {
          const pruned = await log.prune(...asked);
          deleted.push(pruned.deleted);
          if (pruned.deleted === 0) quiet.open();
          return pruned;
        },
      };
      const stop = startPruning(watched, { retention: KEEP_FIVE, everyMs: 1_000, stepSize: 19, onError });
      vi.advanceTimersByTime(1_000);
      await quiet.passed;
      await stop();
      expect(deleted).toEqual([19, 19, 19, 19, 19, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("ends the feed that lags behind what is kept with CURSOR_EXPIRED, and a resume goes on from there", async () => {
    const ring = { maxEvents: 1, maxBytes: 100_000 };
    const tail = new Tail(log, { ring, lookEveryMs: 3_000, observer, onError: () => {} });
    const feeds = eventFeeds(log, tail, observer);
    await addPlans(home.database, ["A", "B"]);
    const lagging = await feeds.follow(null, null);
    expect((await lagging.next()).value).toEqual({ kind: "CHECKPOINT", seq: 0n });
    await fillLog(home.database, "A", 10);
    const current = await feeds.follow(feeds.cursor(9n), null);
    await log.prune(0n, 100, KEEP_FIVE);
    expect((await lagging.next()).value).toEqual({
      kind: "RESET",
      reason: "CURSOR_EXPIRED",
      resumeAt: 10n,
    });
    expect(await lagging.next()).toMatchObject({ done: true });
    expect((await current.next()).value).toMatchObject({ kind: "EVENT", event: { seq: 10n } });
    const resumed = await feeds.follow(feeds.cursor(10n), null);
    await fillLog(home.database, "B", 1);
    tail.wake();
    expect((await resumed.next()).value).toMatchObject({ kind: "EVENT", event: { seq: 11n } });
    feeds.stop();
  });
});

it("pruning wakes no reader in another process, whether there is something to delete or not; events do", async () => {
  const place = await createServerDatabase("migrated");
  const database = await connectDatabase(place.config);
  const log = await openEventLog(database);
  await addPlans(database, ["A", "B"]);
  await fillLog(database, "A", 10);
  const listener = new pg.Client({ connectionString: place.config.url });
  await listener.connect();
  const heard: (string | undefined)[] = [];
  const all = gate();
  listener.on("notification", ({ payload }) => {
    heard.push(payload);
    if (payload === "all") all.open();
  });
  await listener.query("LISTEN phaseline_events");
  expect(await log.prune(0n, 100, KEEP_FIVE)).toMatchObject({ deleted: 5 });
  expect(await log.prune(0n, 100, KEEP_FIVE)).toMatchObject({ deleted: 0 });
  await fillLog(database, "B", 1);
  await listener.query("NOTIFY phaseline_events, 'all'");
  await all.passed;
  expect(heard).toEqual(["", "all"]);
  await listener.end();
  await database.close();
  await place.remove();
});
