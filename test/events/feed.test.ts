import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FeedItem } from "../../src/events/feed.js";
import { eventFeeds, type Feeds } from "../../src/events/feeds.js";
import { Tail } from "../../src/events/tail.js";
import type { PlanEventFilter } from "../../src/plan/reading.js";
import { hold, type MemoryLog, memoryLog } from "./memory-log.js";

const ring = { maxEvents: 1_000, maxBytes: 1_000_000 };
const observer = {
  ringHit: () => {},
  batchRead: () => {},
  eventDelivered: () => {},
  eventsRead: () => {},
  wokenUp: () => {},
};

let log: MemoryLog;
let tail: Tail;
let feeds: Feeds;
let errors: unknown[];

/** Timers stand still: only the test wakes the tail. */
beforeEach(() => {
  vi.useFakeTimers();
  log = memoryLog();
  errors = [];
  begin(ring);
});

afterEach(async () => {
  feeds.stop();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
  vi.useRealTimers();
});

function begin(bounds: typeof ring): void {
  tail = new Tail(log, {
    ring: bounds,
    lookEveryMs: 3_000,
    observer,
    onError: (error) => errors.push(error),
  });
  feeds = eventFeeds(log, tail, observer);
}

function write(...changes: Parameters<MemoryLog["append"]>): void {
  log.append(...changes);
  tail.wake();
}

const follow = (after: number | null, filter: PlanEventFilter | null = null) =>
  feeds.follow(after === null ? null : feeds.cursor(BigInt(after)), filter);

async function take(feed: AsyncIterator<FeedItem>): Promise<string> {
  const { done, value } = await feed.next();
  if (done) return "end";
  if (value.kind === "EVENT") return `event ${value.event.seq}`;
  return value.kind === "RESET" ? `${value.reason} ${value.resumeAt}` : `checkpoint ${value.seq}`;
}

async function takeAll(feed: AsyncIterator<FeedItem>, count: number): Promise<string[]> {
  const items: string[] = [];
  while (items.length < count) items.push(await take(feed));
  return items;
}

describe("a feed", () => {
  it("without a cursor begins with a checkpoint, also when events came before the first pull", async () => {
    log.append({}, {});
    const feed = await follow(null);
    write({}, {});
    await vi.advanceTimersByTimeAsync(1);
    expect(await takeAll(feed, 3)).toEqual(["checkpoint 2", "event 3", "event 4"]);
  });

  it("after a cursor replays, then goes live, and tells the one from the other", async () => {
    log.append({}, {}, {});
    const feed = await follow(1);
    write({});
    const items = [await feed.next(), await feed.next(), await feed.next()];
    expect(items.map(({ value }) => [value.event.seq, value.isReplay])).toEqual([
      [2n, true],
      [3n, true],
      [4n, false],
    ]);
  });

  it("serves pulls that come at once one after the other, each event once", async () => {
    log.append({}, {});
    const feed = await follow(0);
    const releaseFirst = hold(log);
    const first = take(feed);
    await vi.waitFor(() => expect(log.reading).toBe(1));
    const releaseSecond = hold(log);
    const second = take(feed);
    await vi.advanceTimersByTimeAsync(1);
    releaseSecond();
    await vi.advanceTimersByTimeAsync(1);
    releaseFirst();
    expect(await Promise.all([first, second])).toEqual(["event 1", "event 2"]);
    const waiting = [take(feed), take(feed)];
    write({}, {});
    expect(await Promise.all(waiting)).toEqual(["event 3", "event 4"]);
  });

  it("serves many pulls at once", async () => {
    log.append(...Array.from({ length: 250 }, () => ({})));
    const feed = await follow(0);
    const items = await Promise.all(Array.from({ length: 250 }, () => take(feed)));
    expect(items).toEqual(Array.from({ length: 250 }, (_, index) => `event ${index + 1}`));
  });

  it("ends at once when it is returned while pulls wait for news, and stays ended", async () => {
    const feed = await follow(0);
    const waiting = [take(feed), take(feed)];
    await feed.return?.();
    expect(await Promise.all(waiting)).toEqual(["end", "end"]);
    write({});
    expect(await take(feed)).toBe("end");
    expect(feeds.status().subscribers).toBe(0);
  });

  it("that is returned during a read of the database leaves nothing, and shows nothing of it", async () => {
    log.append({}, {});
    const feed = await follow(0);
    const release = hold(log);
    const waiting = take(feed);
    await vi.waitFor(() => expect(log.reading).toBe(1));
    await feed.return?.();
    expect(feeds.status().subscribers).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    release();
    expect(await waiting).toBe("end");
  });

  it("that is returned during a read that then fails, or finds its events pruned, just ends", async () => {
    log.append({}, {});
    for (const harm of [() => (log.failure = new Error("down")), () => (log.prunedTo = 2n)]) {
      const feed = await follow(0);
      const release = hold(log);
      const waiting = take(feed);
      await vi.waitFor(() => expect(log.reading).toBe(1));
      await feed.return?.();
      harm();
      release();
      expect(await waiting).toBe("end");
      log.failure = null;
      log.prunedTo = 0n;
    }
  });

  it("whose read fails ends with the error, and leaves nothing behind", async () => {
    log.append({});
    const feed = await follow(0);
    log.failure = new Error("down");
    await expect(feed.next()).rejects.toThrow("down");
    expect(feeds.status().subscribers).toBe(0);
    log.failure = null;
    expect(await take(feed)).toBe("end");
    expect(await take(await follow(0))).toBe("event 1");
  });

  it("that cannot begin leaves nothing behind", async () => {
    log.failure = new Error("down");
    await expect(Promise.all([follow(0), follow(null)])).rejects.toThrow("down");
    log.failure = null;
    expect(vi.getTimerCount()).toBe(0);
    log.append({});
    expect(await take(await follow(0))).toBe("event 1");
  });

  it("with a quiet filter on a busy log gets checkpoints, and resumes from them without a replay", async () => {
    const feed = await follow(null, { planIds: ["nobody"] });
    expect(await take(feed)).toBe("checkpoint 0");
    const next = take(feed);
    write(...Array.from({ length: 700 }, () => ({})));
    expect(await next).toBe("checkpoint 500");
    const again = await follow(700, { planIds: ["nobody"] });
    const quiet = take(again);
    write({ planId: "nobody" });
    expect(await quiet).toBe("event 701");
  });

  it("with a quiet filter gets a checkpoint after a while, if the log has moved at all", async () => {
    const feed = await follow(null, { planIds: ["nobody"] });
    await feed.next();
    const next = take(feed);
    await vi.advanceTimersByTimeAsync(20_000);
    write({});
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await next).toBe("checkpoint 1");
  });

  it("that lags behind what is in memory reads it from the database, without a gap or a double", async () => {
    begin({ maxEvents: 3, maxBytes: 1_000_000 });
    const slow = await follow(0);
    const fast = await follow(0);
    const all = Array.from({ length: 20 }, (_, index) => `event ${index + 1}`);
    for (const _ of all) {
      write({});
      await take(fast);
    }
    expect(await takeAll(slow, 20)).toEqual(all);
  });

  it("that lags and whose events were pruned is told so, and can resume", async () => {
    begin({ maxEvents: 3, maxBytes: 1_000_000 });
    const slow = await follow(0);
    write(...Array.from({ length: 10 }, () => ({})));
    await vi.waitFor(() => expect(log.reading).toBe(0));
    log.events = log.events.slice(5);
    log.prunedTo = 5n;
    expect(await takeAll(slow, 2)).toEqual(["CURSOR_EXPIRED 10", "end"]);
    const resumed = take(await follow(10));
    write({});
    expect(await resumed).toBe("event 11");
  });

  it("that is live while the log goes back is told so; who comes after it follows the log as it is", async () => {
    log.append({}, {}, {});
    const feed = await follow(3);
    const waiting = take(feed);
    log.events = log.events.slice(0, 1);
    tail.wake();
    expect(await waiting).toBe("CURSOR_AHEAD 1");
    const next = take(await follow(1));
    write({});
    expect(await next).toBe("event 2");
  });
});

describe("the tail", () => {
  it("runs one timer while there are feeds, and none without", async () => {
    const open = await Promise.all([follow(0), follow(null), follow(0)]);
    expect(vi.getTimerCount()).toBe(1);
    for (const feed of open) await feed.return?.();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("runs no timer for a feed that left while it began", async () => {
    const release = hold(log);
    const beginning = follow(0);
    await vi.waitFor(() => expect(log.reading).toBe(1));
    release();
    const feed = await beginning;
    await feed.return?.();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that is read while the last feed leaves and another comes tells the new one nothing old", async () => {
    log.append({}, {});
    const first = await follow(2);
    const release = hold(log);
    const whole = log.events;
    log.events = whole.slice(0, 1);
    tail.wake();
    await vi.waitFor(() => expect(log.reading).toBe(1));
    await first.return?.();
    log.events = whole;
    log.pass = Promise.resolve();
    const second = await follow(2);
    // What the ended tail reads is a shorter log; that is not the new one's to suffer.
    release();
    await vi.advanceTimersByTimeAsync(1);
    const next = take(second);
    write({});
    expect(await next).toBe("event 3");
    await second.return?.();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("hears a wake-up that comes while it reads, and one right after", async () => {
    const feed = await follow(0);
    for (let round = 1; round <= 50; round += 1) {
      const next = take(feed);
      log.append({});
      tail.wake();
      // As many steps later as the round says: somewhere among them the read ends.
      for (let step = 0; step < round % 12; step += 1) await Promise.resolve();
      log.append({});
      tail.wake();
      expect(await next).toBe(`event ${2 * round - 1}`);
      expect(await take(feed)).toBe(`event ${2 * round}`);
    }
  });

  it("finds by itself what nobody told it of, also after reads that failed", async () => {
    const feed = await follow(0);
    const next = take(feed);
    log.append({});
    log.failure = new Error("down");
    await vi.advanceTimersByTimeAsync(9_000);
    expect(errors).toHaveLength(3);
    log.failure = null;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await next).toBe("event 1");
  });

  it("passes a gap in the log, however wide", async () => {
    begin({ maxEvents: 2, maxBytes: 1_000_000 });
    const feed = await follow(0);
    write({}, {});
    expect(await takeAll(feed, 2)).toEqual(["event 1", "event 2"]);
    write({ seq: 9_007_199_254_740_993n }, {}, {}, {});
    expect(await takeAll(feed, 4)).toEqual([
      "event 9007199254740993",
      "event 9007199254740994",
      "event 9007199254740995",
      "event 9007199254740996",
    ]);
  });
});
