/**
 * One plan, followed until it is final: as it is now, then again whenever its version has moved. Several moves may
 * be shown as one, so a slow client skips versions and never falls behind.
 */
import { isFinal } from "../plan/lifecycle.js";
import type { Ulid } from "../plan/plan.js";
import type { PlanNode } from "../plan/reading.js";
import type { FeedItem } from "./feed.js";
import type { Feeds } from "./feeds.js";

/** Reads the plan, because of an item of its feed or, with null, for the first time. */
export type ReadPlan = (because: FeedItem | null) => Promise<PlanNode | null>;

/** Null where there is no such plan. `read` is called for each state that is shown. */
export async function planUpdates(
  feeds: Pick<Feeds, "follow">,
  id: Ulid,
  read: ReadPlan,
): Promise<AsyncIterableIterator<PlanNode> | null> {
  const updates = new PlanUpdates(() => feeds.follow(null, { planIds: [id] }), read);
  return (await updates.begin()) ? updates : null;
}

class PlanUpdates implements AsyncIterableIterator<PlanNode> {
  /** What was read because of the same item is the same object for all. */
  readonly sharesItems = true;
  readonly #follow: () => Promise<AsyncIterableIterator<FeedItem>>;
  readonly #read: ReadPlan;
  #feed: AsyncIterableIterator<FeedItem> | null = null;
  /** What is to be shown next, if it is newer than what was shown. */
  #due: PlanNode | null = null;
  #shown = 0;
  #ended = false;

  constructor(follow: () => Promise<AsyncIterableIterator<FeedItem>>, read: ReadPlan) {
    this.#follow = follow;
    this.#read = read;
  }

  /** Whether there is such a plan; where there is none, this has ended. */
  async begin(): Promise<boolean> {
    try {
      // The feed begins before the plan is read: what happens in between comes by in it.
      this.#feed = await this.#follow();
      this.#due = await this.#read(null);
    } catch (error) {
      await this.return();
      throw error;
    }
    if (this.#due === null) await this.return();
    return this.#due !== null;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Rejects where the database cannot be read; this has then ended. */
  async next(): Promise<IteratorResult<PlanNode>> {
    try {
      while (!this.#ended) {
        const node = this.#due;
        this.#due = null;
        if (node === null) await this.#news();
        else if (node.plan.version > this.#shown) return await this.#show(node);
      }
    } catch (error) {
      if (!this.#ended) {
        await this.return();
        throw error;
      }
    }
    return { done: true, value: undefined };
  }

  /** Ends it at once, also while a pull waits. */
  async return(): Promise<IteratorResult<PlanNode>> {
    this.#ended = true;
    await this.#feed?.return?.();
    return { done: true, value: undefined };
  }

  async #show(node: PlanNode): Promise<IteratorResult<PlanNode>> {
    this.#shown = node.plan.version;
    if (isFinal(node.plan)) await this.return();
    return { done: false, value: node };
  }

  /** Waits for an event that was not shown yet, and reads the plan. */
  async #news(): Promise<void> {
    const step = await this.#feed?.next();
    if (step === undefined || step.done) {
      this.#ended = true;
    } else if (step.value.kind === "RESET") {
      // The events are gone, but the plan says it all: as it is now, even where a restored log is behind.
      if (step.value.reason === "CURSOR_AHEAD") this.#shown = 0;
      this.#feed = await this.#follow();
      if (this.#ended) await this.#feed.return?.();
      else await this.#readAgain(null);
    } else if (step.value.kind === "EVENT" && step.value.event.planVersion > this.#shown) {
      await this.#readAgain(step.value);
    }
  }

  async #readAgain(because: FeedItem | null): Promise<void> {
    this.#due = await this.#read(because);
    if (this.#due === null) throw new Error("The plan that was followed is gone.");
  }
}
