/**
 * Items that say the same are one object for all feeds of the process, so that whoever answers with them needs to
 * make each answer once. An answer may tell of plans as they are now: the items are new ones whenever the log has
 * moved on.
 */
import type { PlanEvent } from "../plan/event.js";
import type { FeedItem } from "./feed.js";

export class SharedItems {
  readonly #live = new WeakMap<PlanEvent, FeedItem>();
  readonly #replayed = new WeakMap<PlanEvent, FeedItem>();
  #checkpoint: Extract<FeedItem, { kind: "CHECKPOINT" }> | null = null;

  event(event: PlanEvent, isReplay: boolean): FeedItem {
    const items = isReplay ? this.#replayed : this.#live;
    let item = items.get(event);
    if (item === undefined) {
      item = { kind: "EVENT", event, isReplay };
      items.set(event, item);
    }
    return item;
  }

  checkpoint(seq: bigint): FeedItem {
    if (this.#checkpoint?.seq !== seq) this.#checkpoint = { kind: "CHECKPOINT", seq };
    return this.#checkpoint;
  }
}
