import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { repeat } from "../src/repeat.js";
import { gate } from "./support/gate.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("rounds come one after the other, each in its time after the end of the one before", async () => {
  const rounds: ReturnType<typeof gate>[] = [];
  const work = () => {
    const round = gate();
    rounds.push(round);
    return round.passed;
  };
  const stop = repeat({ everyMs: 100, work, onError: (error) => expect.unreachable(String(error)) });
  await vi.advanceTimersByTimeAsync(99);
  expect(rounds).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(500);
  expect(rounds).toHaveLength(1);
  rounds[0]?.open();
  await vi.advanceTimersByTimeAsync(100);
  expect(rounds).toHaveLength(2);
  rounds[1]?.open();
  await stop();
});

it("goes on after a round that failed, also where that cannot be told", async () => {
  const told: unknown[] = [];
  let rounds = 0;
  const stop = repeat({
    everyMs: 100,
    work: async () => {
      rounds += 1;
      throw new Error(`round ${rounds}`);
    },
    onError: (error) => {
      told.push(error);
      throw new Error("the log is full");
    },
  });
  await vi.advanceTimersByTimeAsync(300);
  expect(told).toEqual([new Error("round 1"), new Error("round 2"), new Error("round 3")]);
  await stop();
});

it("stops after the round under way, which is told, and begins no other", async () => {
  const { passed, open } = gate();
  let rounds = 0;
  let isStopped = () => false;
  const stop = repeat({
    everyMs: 100,
    work: (asked) => {
      rounds += 1;
      isStopped = asked;
      return passed;
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(isStopped()).toBe(false);
  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  expect(isStopped()).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stopped).toBe(false);
  open();
  await stopping;
  await vi.advanceTimersByTimeAsync(1_000);
  expect([rounds, vi.getTimerCount()]).toEqual([1, 0]);
});
