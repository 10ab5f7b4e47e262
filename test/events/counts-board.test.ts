import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type CountsBoard, countsBoard } from "../../src/events/counts-board.js";
import { Tail } from "../../src/events/tail.js";
import type { PlanCounts } from "../../src/plan/reading.js";
import { gate } from "../support/gate.js";
import { hold, type MemoryLog, memoryLog } from "./memory-log.js";

const FILTER = { tags: { any: ["red"] } };

let log: MemoryLog;
let tail: Tail;
let board: CountsBoard;
/** How many plans there are, what counting them waits for, how often it was done, and how it fails. */
let plans: number;
let pass: Promise<void>;
let counted: number;
let failure: Error | null;

beforeEach(() => {
  vi.useFakeTimers();
  log = memoryLog();
  plans = 0;
  pass = Promise.resolve();
  counted = 0;
  failure = null;
  const observer = { wokenUp: () => {}, eventsRead: () => {} };
  const options = { ring: { maxEvents: 100, maxBytes: 100_000 }, lookEveryMs: 3_000, observer };
  tail = new Tail(log, { ...options, onError: () => {} });
  board = countsBoard({ counts }, tail);
});

afterEach(async () => {
  board.stop();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
  vi.useRealTimers();
});

async function counts(): Promise<PlanCounts> {
  counted += 1;
  const asOf = log.events.at(-1)?.seq ?? 0n;
  const byPosition = [{ phase: "STRATEGIZE", state: "QUEUED", count: plans }] as const;
  await pass;
  if (failure !== null) throw failure;
  return { byPosition, asOf };
}

/** One more plan, of which the tail is told. */
function create(): void {
  plans += 1;
  log.append({});
  tail.wake();
}

async function countOf(counts: AsyncIterator<PlanCounts>): Promise<number | string> {
  const { done, value } = await counts.next();
  return done ? "end" : (value.byPosition[0]?.count ?? "nothing");
}

it("those who follow one filter share one count, and another filter has its own", async () => {
  const followers = [board.follow(FILTER), board.follow({ tags: { any: ["red"] } }), board.follow(FILTER)];
  expect(await Promise.all(followers.map(countOf))).toEqual([0, 0, 0]);
  expect(counted).toBe(1);
  await countOf(board.follow(null));
  expect(counted).toBe(2);
});

it("two counts are under way at once; the others come in their turn, and who has left meanwhile is passed over", async () => {
  const followers = Array.from({ length: 6 }, (_, index) =>
    board.follow({ tags: { any: [`tag ${index}`] } }),
  );
  const { passed, open } = gate();
  pass = passed;
  const answers = followers.map(countOf);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(counted).toBe(2);
  await followers[3]?.return?.();
  open();
  expect(await Promise.all(answers)).toEqual([0, 0, 0, "end", 0, 0]);
  expect(counted).toBe(5);
});

it("a burst of thousands of changes ends in the exact count, told a few times a second at most", async () => {
  const follower = board.follow(FILTER);
  expect(await countOf(follower)).toBe(0);
  const told: (number | string)[] = [];
  for (let round = 0; round < 40; round += 1) {
    for (let change = 0; change < 100; change += 1) create();
    await vi.advanceTimersByTimeAsync(25);
  }
  while (told.at(-1) !== 4_000) {
    const next = countOf(follower);
    await vi.advanceTimersByTimeAsync(400);
    told.push(await next);
  }
  expect(counted).toBeLessThan(8);
});

it("a change that leaves the counts as they were tells nobody, and moves the place from which a newcomer begins", async () => {
  const follower = board.follow(FILTER);
  expect(await countOf(follower)).toBe(0);
  let told = false;
  const next = countOf(follower).then((count) => {
    told = true;
    return count;
  });
  log.append({}, {});
  tail.wake();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toBe(false);
  expect((await board.follow(FILTER).next()).value.asOf).toBe(2n);
  create();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await next).toBe(1);
});

it("who leaves while the counts are read, or before they are, leaves nothing behind", async () => {
  for (const leaveAfter of [0, 1]) {
    const { passed, open } = gate();
    pass = passed;
    const follower = board.follow(FILTER);
    const waiting = countOf(follower);
    if (leaveAfter > 0) await vi.advanceTimersByTimeAsync(1);
    await follower.return?.();
    expect(await waiting).toBe("end");
    open();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
  }
});

it("who comes while the last one leaves is counted for anew", async () => {
  const release = hold(log);
  const first = board.follow(FILTER);
  await first.return?.();
  const second = countOf(board.follow(FILTER));
  release();
  expect(await second).toBe(0);
});

it("the others go on when one leaves", async () => {
  const [first, second] = [board.follow(FILTER), board.follow(FILTER)];
  expect(await Promise.all([countOf(first), countOf(second)])).toEqual([0, 0]);
  const next = countOf(second);
  await first.return?.();
  create();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await next).toBe(1);
});

it("where counting fails all who follow hear of it, those too who take their time, and a newcomer is counted for anew", async () => {
  const [quick, slow] = [board.follow(FILTER), board.follow(FILTER)];
  await Promise.all([countOf(quick), countOf(slow)]);
  failure = new Error("down");
  const hears = expect(countOf(quick)).rejects.toThrow("down");
  create();
  await vi.advanceTimersByTimeAsync(1_000);
  await hears;
  failure = null;
  const newcomer = board.follow(FILTER);
  expect(await countOf(newcomer)).toBe(1);
  await expect(countOf(slow)).rejects.toThrow("down");
  const next = countOf(newcomer);
  create();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await next).toBe(2);
  const beside = board.follow(FILTER);
  expect(await countOf(beside)).toBe(2);
});

it("counts go on after the log went back", async () => {
  for (let plan = 0; plan < 5; plan += 1) create();
  const follower = board.follow(FILTER);
  expect(await countOf(follower)).toBe(5);
  await vi.advanceTimersByTimeAsync(1_000);
  const restored = countOf(follower);
  plans = 1;
  log.events = log.events.slice(0, 1);
  tail.wake();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await restored).toBe(1);
  const next = countOf(follower);
  create();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await next).toBe(2);
  await vi.advanceTimersByTimeAsync(5_000);
  const quiet = counted;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(counted).toBe(quiet);
});

it("who comes after the end gets nothing", async () => {
  board.stop();
  expect(await countOf(board.follow(FILTER))).toBe("end");
});
