import { expect, it } from "vitest";
import type { FeedItem } from "../../src/events/feed.js";
import { LatestValue } from "../../src/events/latest-value.js";
import { planUpdates } from "../../src/events/plan-updates.js";
import type { Plan, PlanState } from "../../src/plan/plan.js";
import type { PlanNode } from "../../src/plan/reading.js";
import { memoryLog } from "./memory-log.js";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/** A plan that is changed by hand, with a feed that brings what it is told to. */
function followed() {
  let plan: Partial<Plan> | null = { version: 1, phase: "STRATEGIZE", state: "QUEUED" };
  const feeds: LatestValue<FeedItem>[] = [];
  let open = 0;
  const log = memoryLog();
  return {
    open: () => open,
    failing: null as Error | null,
    /** What happens while the plan is read. */
    meanwhile: () => {},
    change(version: number, state: PlanState = "QUEUED") {
      plan = { version, phase: "STRATEGIZE", state };
    },
    remove() {
      plan = null;
    },
    tell(planVersion: number) {
      log.append({ planId: ID, planVersion });
      const event = log.events.at(-1);
      if (event) feeds.at(-1)?.set({ kind: "EVENT", event, isReplay: false });
    },
    reset(reason: "CURSOR_EXPIRED" | "CURSOR_AHEAD") {
      feeds.at(-1)?.set({ kind: "RESET", reason, resumeAt: 0n });
      // A feed ends by itself with its reset.
      open -= 1;
    },
    feeds: {
      follow: async () => {
        open += 1;
        const feed = new LatestValue<FeedItem>(() => {
          open -= 1;
        });
        feeds.push(feed);
        return feed;
      },
    },
    async read(): Promise<PlanNode | null> {
      this.meanwhile();
      if (this.failing !== null) throw this.failing;
      return plan === null ? null : { plan: plan as Plan, nested: new Map() };
    },
  };
}

async function follow(source: ReturnType<typeof followed>) {
  const updates = await planUpdates(source.feeds, ID, () => source.read());
  if (updates === null) throw new Error("There is no such plan.");
  return {
    updates,
    version: async () => {
      const { done, value } = await updates.next();
      return done ? "end" : value.plan.version;
    },
  };
}

it("several moves may be shown as one, and no version comes twice or goes back", async () => {
  const source = followed();
  const { version, updates } = await follow(source);
  expect(await version()).toBe(1);
  source.change(4);
  source.tell(2);
  expect(await version()).toBe(4);
  const next = version();
  source.tell(3);
  await Promise.resolve();
  source.tell(4);
  source.change(5);
  source.tell(5);
  expect(await next).toBe(5);
  await updates.return?.();
  expect(source.open()).toBe(0);
});

it("a plan that is not there has no updates, and leaves no feed", async () => {
  const source = followed();
  source.remove();
  expect(await planUpdates(source.feeds, ID, () => source.read())).toBe(null);
  expect(source.open()).toBe(0);
});

it("ends after the final state, also when that is the first one shown", async () => {
  const source = followed();
  source.change(7, "CANCELLED");
  const { version } = await follow(source);
  expect([await version(), await version()]).toEqual([7, "end"]);
  expect(source.open()).toBe(0);
});

it("a read that fails ends it with the error, at the beginning as later, and leaves no feed", async () => {
  const source = followed();
  const { version } = await follow(source);
  await version();
  source.failing = new Error("down");
  source.tell(2);
  await expect(version()).rejects.toThrow("down");
  expect(source.open()).toBe(0);
  await expect(follow(source)).rejects.toThrow("down");
  expect(source.open()).toBe(0);
  expect(await version()).toBe("end");
});

it("who leaves while the plan is read gets no error of that read", async () => {
  const source = followed();
  const { version, updates } = await follow(source);
  await version();
  source.meanwhile = () => void updates.return?.();
  source.failing = new Error("down");
  source.tell(2);
  expect(await version()).toBe("end");
});

it("goes on from the plan as it is where the events in between are no longer kept", async () => {
  const source = followed();
  const { version, updates } = await follow(source);
  await version();
  source.change(9);
  source.reset("CURSOR_EXPIRED");
  expect(await version()).toBe(9);
  source.change(10);
  source.tell(10);
  expect(await version()).toBe(10);
  await updates.return?.();
  expect(source.open()).toBe(0);
});

it("shows the plan of a restored log, which may be older, and fails where it is gone", async () => {
  const source = followed();
  source.change(9);
  const { version } = await follow(source);
  expect(await version()).toBe(9);
  source.change(3);
  source.reset("CURSOR_AHEAD");
  expect(await version()).toBe(3);
  source.remove();
  source.reset("CURSOR_AHEAD");
  await expect(version()).rejects.toThrow("gone");
  expect(source.open()).toBe(0);
});
