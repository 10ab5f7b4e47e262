/**
 * One subscriber's place in the log. It holds a position and no queue: the next matching event comes from the recent
 * ones, else from the database, else it waits for news. So a slow client only lags, and one that is gone leaves
 * nothing behind. What is at hand is taken without a promise, since a crowd of subscribers takes each event.
 */
import type { PlanEvent } from "../plan/event.js";
import type { PlanEventFilter } from "../plan/reading.js";
import { matches } from "./filter.js";
import type { FeedObserver } from "./observer.js";
import type { EventLog } from "./store.js";
import type { LiveTail, Sleeper } from "./tail.js";

export type ResetReason = "CURSOR_EXPIRED" | "CURSOR_AHEAD" | "CURSOR_FOREIGN" | "CURSOR_INVALID";

export type FeedItem =
  | { readonly kind: "EVENT"; readonly event: PlanEvent; readonly isReplay: boolean }
  /** Nothing up to here matches that was not sent. */
  | { readonly kind: "CHECKPOINT"; readonly seq: bigint }
  /** The end of a feed that cannot be served. */
  | { readonly kind: "RESET"; readonly reason: ResetReason; readonly resumeAt: bigint };

export interface FeedOptions {
  readonly log: EventLog;
  readonly tail: LiveTail;
  readonly filter: PlanEventFilter | null;
  /** The feed begins after this seq. */
  readonly after: bigint;
  /** The head of the log when the feed was asked for: events up to it are a replay. */
  readonly head: bigint;
  /** Whether the first item is a checkpoint, whatever happened meanwhile. */
  readonly checkpointFirst: boolean;
  readonly observer: FeedObserver;
  /** Called once, when the feed has ended. */
  readonly onEnd: (feed: Feed) => void;
}

/** What ends a feed from within. */
type Last = { readonly reset: FeedItem } | { readonly error: unknown };

/** After so many events without a match the feed says how far it is. */
const CHECKPOINT_EVERY_EVENTS = 500n;
/** And after so much time in which the log moved on without a match. */
const CHECKPOINT_EVERY_MS = 10_000;
/** What a feed holds at most of what its client has not taken yet. */
const BATCH = { events: 100, bytes: 256 * 1024 };
const END = { done: true, value: undefined } as const;

export class Feed implements AsyncIterableIterator<FeedItem, undefined>, Sleeper {
  // One by one, not as the object that they come in: there are many feeds.
  readonly #log: EventLog;
  readonly #tail: LiveTail;
  readonly #filter: PlanEventFilter | null;
  readonly #head: bigint;
  readonly #observer: FeedObserver;
  readonly #onEnd: (feed: Feed) => void;
  /** Everything up to here was looked at. */
  #position: bigint;
  /** Where the last item left the client, and when. */
  #told: bigint;
  #toldAt = now();
  #checkpointDue: boolean;
  /** Matches that were read from the database and not yet taken. */
  #batch: PlanEvent[] | null = null;
  /** What ends the feed. */
  #last: Last | null = null;
  /** The pull before; pulls that come at once are served one after the other. */
  #lastPull: Promise<unknown> | null = null;
  #ended = false;
  #sleeper: Sleeper | null = null;

  constructor(options: FeedOptions) {
    this.#log = options.log;
    this.#tail = options.tail;
    this.#filter = options.filter;
    this.#head = options.head;
    this.#observer = options.observer;
    this.#onEnd = options.onEnd;
    this.#position = options.after;
    this.#told = options.after;
    this.#checkpointDue = options.checkpointFirst;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** How many events the feed is behind the head of the log as it is known here. */
  get lag(): number {
    return Math.max(0, Number(this.#tail.head - this.#position));
  }

  /**
   * What comes next, where it is at hand; null where it must be waited for. Throws where the database could not be
   * read; the feed has then ended.
   */
  take(): IteratorResult<FeedItem, undefined> | null {
    while (!this.#ended) {
      if (this.#last !== null) return this.#takeLast(this.#last);
      if (this.#tail.logWentBack) return null;
      if (this.#checkpointDue) {
        this.#checkpointDue = false;
        return this.#tell(this.#tail.items.checkpoint(this.#position));
      }
      const event = this.#batch?.shift() ?? this.#nextRecent();
      if (event !== undefined) {
        this.#position = event.seq;
        this.#observer.eventDelivered();
        return this.#tell(this.#itemOf(event));
      }
      if (!this.#wasQuietFor(CHECKPOINT_EVERY_EVENTS, CHECKPOINT_EVERY_MS)) return null;
      this.#checkpointDue = true;
    }
    return END;
  }

  /** Wakes `sleeper`, and only the last one given, once it is worth to take again; never before this has returned. */
  whenReady(sleeper: Sleeper): void {
    this.#sleeper = sleeper;
    if (this.#ended || this.#last !== null) queueMicrotask(() => this.wake());
    else if (this.#tail.logWentBack) this.#wakeAfter(this.#readReset("CURSOR_AHEAD"));
    else if (this.#position >= this.#tail.head) this.#tail.onNews(this);
    else this.#wakeAfter(this.#readBatch());
  }

  /** For the tail: there is news. */
  wake(): void {
    const sleeper = this.#sleeper;
    this.#sleeper = null;
    sleeper?.wake();
  }

  /** Rejects where the database cannot be read; the feed has then ended. */
  next(): Promise<IteratorResult<FeedItem, undefined>> {
    const pull = (this.#lastPull ?? Promise.resolve()).then(() => this.#pull());
    this.#lastPull = pull.catch(() => {});
    return pull;
  }

  /** Ends the feed at once, also while a pull waits. */
  async return(): Promise<IteratorResult<FeedItem, undefined>> {
    this.#end();
    return END;
  }

  async #pull(): Promise<IteratorResult<FeedItem, undefined>> {
    for (;;) {
      const step = this.take();
      if (step !== null) return step;
      await new Promise<void>((wake) => this.whenReady({ wake }));
    }
  }

  #wakeAfter(read: Promise<void>): void {
    read
      .catch((error: unknown) => {
        this.#last = { error };
      })
      .then(() => this.wake());
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#batch = null;
    this.#tail.forget(this);
    this.#onEnd(this);
    this.wake();
  }

  #takeLast(last: Last): IteratorResult<FeedItem, undefined> {
    // Nobody ends an iterator that has failed.
    this.#end();
    if ("error" in last) throw last.error;
    return { done: false, value: last.reset };
  }

  /** The item is shared with those who know no more of the log: an answer to it may tell of what they know. */
  #itemOf(event: PlanEvent): FeedItem {
    const isReplay = event.seq <= this.#head;
    if (this.#tail.head < this.#head) return { kind: "EVENT", event, isReplay };
    return this.#tail.items.event(event, isReplay);
  }

  /** The next match among the recent events; undefined at the head, and where the ring does not reach back. */
  #nextRecent(): PlanEvent | undefined {
    for (;;) {
      const event = this.#tail.recent(this.#position + 1n);
      if (event === undefined) return undefined;
      this.#observer.ringHit();
      if (matches(event, this.#filter)) return event;
      this.#position = event.seq;
      if (this.#position - this.#told >= CHECKPOINT_EVERY_EVENTS) return undefined;
    }
  }

  /** Reads the next matches from the database, unless some of the events there are no longer kept. */
  async #readBatch(): Promise<void> {
    this.#observer.batchRead();
    const { events, readTo, prunedTo } = await this.#log.after(this.#position, this.#filter, BATCH);
    if (this.#ended) return;
    if (prunedTo > this.#position) return this.#readReset("CURSOR_EXPIRED");
    this.#batch = [...events];
    if (events.length === 0) this.#position = readTo;
  }

  async #readReset(reason: ResetReason): Promise<void> {
    const { head } = await this.#log.extent();
    this.#last = { reset: { kind: "RESET", reason, resumeAt: head } };
  }

  #wasQuietFor(events: bigint, milliseconds: number): boolean {
    const passed = this.#position - this.#told;
    return passed >= events || (passed > 0n && now() - this.#toldAt >= milliseconds);
  }

  #tell(item: FeedItem): IteratorResult<FeedItem, undefined> {
    this.#told = this.#position;
    this.#toldAt = now();
    return { done: false, value: item };
  }
}

/** Milliseconds of the monotonic clock, as a whole number: those of feeds that wait take no place of their own. */
function now(): number {
  return Math.floor(performance.now());
}
