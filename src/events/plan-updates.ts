/**
 * One plan, followed until it is final: as it is now, then again whenever its version has moved. Several moves may
 * be shown as one, so a slow client skips versions and never falls behind.
 */
import { isFinal } from "../plan/lifecycle.js";
import type { Ulid } from "../plan/plan.js";
import type { PlanNode } from "../plan/reading.js";
import type { Feeds } from "./feeds.js";

/** Null where there is no such plan. `read` is called for each state that is shown. */
export async function planUpdates(
  feeds: Feeds,
  id: Ulid,
  read: () => Promise<PlanNode | null>,
): Promise<AsyncIterableIterator<PlanNode> | null> {
  // The feed begins before the plan is read: what happens in between comes by in it.
  const feed = await feeds.follow(null, { planIds: [id] });
  try {
    const first = await read();
    if (first !== null) return updatesAfter(first, feed, read);
  } catch (error) {
    await feed.return?.();
    throw error;
  }
  await feed.return?.();
  return null;
}

function updatesAfter(
  first: PlanNode,
  feed: Awaited<ReturnType<Feeds["follow"]>>,
  read: () => Promise<PlanNode | null>,
): AsyncIterableIterator<PlanNode> {
  let due: PlanNode | null = first;
  let shown = 0;
  let last = false;

  async function next(): Promise<IteratorResult<PlanNode>> {
    while (!last) {
      const node: PlanNode | null = due ?? (await nextState());
      due = null;
      if (node === null) break;
      if (node.plan.version <= shown) continue;
      shown = node.plan.version;
      last = isFinal(node.plan);
      return { done: false, value: node };
    }
    await feed.return?.();
    return { done: true, value: undefined };
  }

  /** The plan after the next event that it does not show yet; null at the end of the feed. */
  async function nextState(): Promise<PlanNode | null> {
    for (;;) {
      const step = await feed.next();
      if (step.done || step.value.kind === "RESET") return null;
      if (step.value.kind === "EVENT" && step.value.event.planVersion > shown) return read();
    }
  }

  return {
    next,
    async return() {
      last = true;
      await feed.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
