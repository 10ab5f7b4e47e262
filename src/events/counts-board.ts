/**
 * Counts that are followed. All who follow the same filter share one watch, which counts anew after the log has
 * moved, a few times a second at most; each count is one statement of one moment, so it is exact. A slow client
 * misses counts in between and never holds anybody up: what it gets is the newest.
 */
import { canonicalJson } from "../plan/json.js";
import type { JsonValue } from "../plan/plan.js";
import type { PlanCounts, PlanFilter, PlanReads } from "../plan/reading.js";
import { LatestValue } from "./latest-value.js";
import type { LiveTail, Tail } from "./tail.js";
import { Turns } from "./turns.js";

export interface CountsBoard {
  /** The counts now, and again whenever they have changed. */
  follow(filter: PlanFilter | null): AsyncIterableIterator<PlanCounts>;
  /** Ends all that follow. */
  stop(): void;
}

/** The least time between two counts of one filter, in milliseconds. */
const COUNT_EVERY_MS = 300;
/** How many counts are under way at once, so that many filters leave connections of the database to others. */
const COUNTS_AT_ONCE = 2;

export function countsBoard(plans: Pick<PlanReads, "counts">, tail: Tail): CountsBoard {
  const watches = new Map<string, CountsWatch>();
  const turns = new Turns(COUNTS_AT_ONCE);
  let stopped = false;

  return {
    follow(filter) {
      const key = canonicalJson(filter as JsonValue);
      const watch: CountsWatch =
        watches.get(key) ??
        new CountsWatch(
          () => plans.counts(filter),
          turns,
          tail,
          // Another one may have begun meanwhile: that one stays.
          () => watches.get(key) === watch && watches.delete(key),
        );
      watches.set(key, watch);
      const member = watch.join();
      if (stopped) void member.return();
      return member;
    },
    stop() {
      stopped = true;
      for (const watch of [...watches.values()]) watch.end();
    },
  };
}

class CountsWatch {
  readonly #count: () => Promise<PlanCounts>;
  readonly #turns: Turns;
  readonly #tail: Tail;
  /** Called when nobody may join any more. */
  readonly #onClose: () => void;
  readonly #members = new Set<LatestValue<PlanCounts>>();
  #latest: PlanCounts | null = null;
  #stopWaiting: (() => void) | null = null;

  constructor(count: () => Promise<PlanCounts>, turns: Turns, tail: Tail, onClose: () => void) {
    this.#count = count;
    this.#turns = turns;
    this.#tail = tail;
    this.#onClose = onClose;
  }

  join(): LatestValue<PlanCounts> {
    const member: LatestValue<PlanCounts> = new LatestValue(() => {
      this.#members.delete(member);
      if (this.#members.size > 0) return;
      this.#stopWaiting?.();
      this.#onClose();
    });
    this.#members.add(member);
    if (this.#latest !== null) member.set(this.#latest);
    if (this.#members.size === 1) this.#run().catch((error: unknown) => this.#fail(error));
    return member;
  }

  end(): void {
    for (const member of [...this.#members]) void member.return();
  }

  async #run(): Promise<void> {
    while (this.#members.size > 0) {
      const live = await this.#tail.join();
      try {
        while (this.#members.size > 0 && !live.logWentBack) await this.#countOnce(live);
      } finally {
        this.#tail.leave();
      }
    }
  }

  /** Counts, then waits until it is time to count again. */
  async #countOnce(live: LiveTail): Promise<void> {
    const counts = await this.#countInTurn();
    if (counts === null) return;
    const isNews = !sameCounts(counts, this.#latest);
    // Also where nothing changed: who joins next begins at the log's place of today.
    this.#latest = counts;
    if (isNews) for (const member of this.#members) member.set(counts);
    await this.#pause((resume) => {
      const timer = setTimeout(resume, COUNT_EVERY_MS);
      return () => clearTimeout(timer);
    });
    while (this.#members.size > 0 && !live.logWentBack && live.head <= counts.asOf) {
      await this.#pause((wake) => {
        const sleeper = { wake };
        live.onNews(sleeper);
        return () => live.forget(sleeper);
      });
    }
  }

  /** Null where nobody follows any more when it is its turn. */
  async #countInTurn(): Promise<PlanCounts | null> {
    const end = await this.#turns.take();
    try {
      return this.#members.size === 0 ? null : await this.#count();
    } finally {
      end();
    }
  }

  /** Waits until `resume` is called, or until nobody follows any more. */
  #pause(begin: (resume: () => void) => () => void): Promise<void> {
    if (this.#members.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const takeBack = begin(resolve);
      this.#stopWaiting = () => {
        takeBack();
        resolve();
      };
    });
  }

  #fail(error: unknown): void {
    this.#onClose();
    for (const member of [...this.#members]) member.fail(error);
  }
}

function sameCounts(one: PlanCounts, other: PlanCounts | null): boolean {
  return other !== null && JSON.stringify(one.byPosition) === JSON.stringify(other.byPosition);
}
