/**
 * The one reader of new events in this process. It keeps the recent ones in a ring, and wakes those who wait for
 * more. A wake-up carries no data and may get lost: the tail also looks by itself every few seconds.
 *
 * It is live from the first member to the last: it enters at the head of the log as it is then, and when the last
 * member leaves, it reads nothing, holds nothing and runs no timer.
 */
import type { PlanEvent } from "../plan/event.js";
import type { FeedObserver } from "./observer.js";
import { EventRing, type RingBounds } from "./ring.js";
import { SharedItems } from "./shared-items.js";
import type { EventLog } from "./store.js";

/** Who waits for something, and is told once that it may be there. */
export interface Sleeper {
  wake(): void;
}

export interface TailOptions {
  readonly ring: RingBounds;
  /** How often the tail looks for events of which nobody told, in milliseconds. */
  readonly lookEveryMs: number;
  readonly observer: Pick<FeedObserver, "wokenUp" | "eventsRead">;
  /** A read that failed; it is tried again at the next wake-up or look. */
  readonly onError: (error: unknown) => void;
}

const BATCH = { events: 500, bytes: 4 * 1024 * 1024 };

export class Tail {
  readonly #log: EventLog;
  readonly #options: TailOptions;
  #members = 0;
  #live: Promise<LiveTail> | null = null;

  constructor(log: EventLog, options: TailOptions) {
    this.#log = log;
    this.#options = options;
  }

  /** Registers a member, and resolves when the tail stands at the head of the log. Each join needs its leave. */
  async join(): Promise<LiveTail> {
    this.#members += 1;
    this.#live ??= this.#begin();
    const live = this.#live;
    try {
      return await live;
    } catch (error) {
      this.#forget(live);
      this.#members -= 1;
      throw error;
    }
  }

  leave(): void {
    this.#members -= 1;
    if (this.#members > 0) return;
    this.#live?.then((live) => live.end()).catch(() => {});
    this.#live = null;
  }

  /** There may be new events. */
  wake(): void {
    this.#live?.then((live) => live.wake()).catch(() => {});
  }

  #begin(): Promise<LiveTail> {
    const live: Promise<LiveTail> = this.#log.extent().then(({ head }) => {
      // Whoever joins after the log went back gets a tail of the log as it is then.
      return new LiveTail(this.#log, head, this.#options, () => this.#forget(live));
    });
    return live;
  }

  /** Another one may have begun meanwhile: that one stays. */
  #forget(live: Promise<LiveTail>): void {
    if (this.#live === live) this.#live = null;
  }
}

/** The tail while it has members. */
export class LiveTail {
  readonly #log: EventLog;
  readonly #options: TailOptions;
  readonly #ring: EventRing;
  readonly #onWentBack: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #sleepers = new Set<Sleeper>();
  #head: bigint;
  #items = new SharedItems();
  #reading = false;
  #wokenMeanwhile = false;
  #ended = false;
  #wentBackwards = false;

  constructor(log: EventLog, head: bigint, options: TailOptions, onWentBack: () => void) {
    this.#onWentBack = onWentBack;
    this.#log = log;
    this.#head = head;
    this.#options = options;
    this.#ring = new EventRing(options.ring);
    this.#timer = setInterval(() => {
      this.wake();
      this.#notify();
    }, options.lookEveryMs);
  }

  /** The last event that was read. */
  get head(): bigint {
    return this.#head;
  }

  /** Whether the log was found shorter than what was read of it; this tail has then ended. */
  get logWentBack(): boolean {
    return this.#wentBackwards;
  }

  /** The event with this seq, if it is among the recent ones. */
  recent(seq: bigint): PlanEvent | undefined {
    return this.#ring.get(seq);
  }

  /** The items of the feeds, as of the head. */
  get items(): SharedItems {
    return this.#items;
  }

  /** Wakes `sleeper` once: when the head has moved, or at the next look. */
  onNews(sleeper: Sleeper): void {
    this.#sleepers.add(sleeper);
  }

  /** Wakes it no more. */
  forget(sleeper: Sleeper): void {
    this.#sleepers.delete(sleeper);
  }

  wake(): void {
    this.#options.observer.wokenUp();
    this.#wokenMeanwhile = true;
    if (this.#reading || this.#ended) return;
    this.#readOn().catch(this.#options.onError);
  }

  end(): void {
    this.#ended = true;
    clearInterval(this.#timer);
  }

  async #readOn(): Promise<void> {
    this.#reading = true;
    try {
      while (this.#wokenMeanwhile && !this.#ended) {
        this.#wokenMeanwhile = false;
        const { events, head } = await this.#log.after(this.#head, null, BATCH);
        if (this.#ended) return;
        if (head < this.#head) return this.#wentBack();
        this.#options.observer.eventsRead(events.length);
        for (const event of events) this.#ring.add(event);
        this.#head = events.at(-1)?.seq ?? this.#head;
        if (events.length > 0) {
          this.#items = new SharedItems();
          this.#notify();
        }
        // As long as there are events there may be more of them than one batch holds.
        if (this.#head < head && events.length > 0) this.#wokenMeanwhile = true;
      }
    } finally {
      // In the same step as the last look at the wake-ups: one that came in between would go unheard.
      this.#reading = false;
    }
  }

  /** The log is shorter than it was: its database was replaced by an older one while the server ran. */
  #wentBack(): void {
    this.end();
    this.#wentBackwards = true;
    this.#onWentBack();
    this.#notify();
  }

  #notify(): void {
    const woken = [...this.#sleepers];
    this.#sleepers.clear();
    for (const sleeper of woken) sleeper.wake();
  }
}
