/**
 * One subscriber's place in the log. It holds a position and no queue: each pull takes the next matching event from
 * the recent ones, else from the database, else waits for news. So a slow client only lags, and one that is gone
 * leaves nothing behind.
 */
import type { PlanEvent } from "../plan/event.js";
import type { PlanEventFilter } from "../plan/reading.js";
import { matches } from "./filter.js";
import type { FeedObserver } from "./observer.js";
import type { EventLog } from "./store.js";
import type { LiveTail } from "./tail.js";

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
  readonly onEnd: () => void;
}

/** After so many events without a match the feed says how far it is. */
const CHECKPOINT_EVERY_EVENTS = 500n;
/** And after so much time in which the log moved on without a match. */
const CHECKPOINT_EVERY_MS = 10_000;
/** What a feed holds at most of what its client has not taken yet. */
const BATCH = { events: 100, bytes: 256 * 1024 };
const END = { done: true, value: undefined } as const;

export class Feed implements AsyncIterableIterator<FeedItem> {
  readonly #options: FeedOptions;
  /** Everything up to here was looked at. */
  #position: bigint;
  /** Where the last item left the client, and when. */
  #told: bigint;
  #toldAt = Date.now();
  #checkpointDue: boolean;
  /** Matches that were read from the database and not yet taken. */
  #batch: PlanEvent[] = [];
  /** The pull before; pulls that come at once are served one after the other. */
  #lastPull: Promise<unknown> = Promise.resolve();
  #ended = false;
  #stopWaiting: (() => void) | null = null;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#position = options.after;
    this.#told = options.after;
    this.#checkpointDue = options.checkpointFirst;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** How many events the feed is behind the head of the log as it is known here. */
  get lag(): number {
    return Math.max(0, Number(this.#options.tail.head - this.#position));
  }

  /** Rejects where the database cannot be read; the feed has then ended. */
  next(): Promise<IteratorResult<FeedItem>> {
    const pull = this.#lastPull.then(() => this.#pull());
    this.#lastPull = pull.catch(() => {});
    return pull;
  }

  async #pull(): Promise<IteratorResult<FeedItem>> {
    try {
      return await this.#take();
    } catch (error) {
      if (this.#ended) return END;
      // Nobody ends an iterator that has failed.
      await this.return();
      throw error;
    }
  }

  async #take(): Promise<IteratorResult<FeedItem>> {
    while (!this.#ended) {
      if (this.#options.tail.logWentBack) return this.#reset("CURSOR_AHEAD");
      if (this.#checkpointDue) {
        this.#checkpointDue = false;
        return this.#tell({ kind: "CHECKPOINT", seq: this.#position });
      }
      const event = this.#batch.shift() ?? this.#nextRecent();
      if (event !== undefined) {
        this.#position = event.seq;
        this.#options.observer.eventDelivered();
        return this.#tell({ kind: "EVENT", event, isReplay: event.seq <= this.#options.head });
      }
      if (this.#wasQuietFor(CHECKPOINT_EVERY_EVENTS, CHECKPOINT_EVERY_MS)) this.#checkpointDue = true;
      else if (this.#position >= this.#options.tail.head) await this.#news();
      else if ((await this.#readBatch()) === "PRUNED") return this.#reset("CURSOR_EXPIRED");
    }
    return END;
  }

  /** Ends the feed at once, also while a pull waits. */
  async return(): Promise<IteratorResult<FeedItem>> {
    if (!this.#ended) {
      this.#ended = true;
      this.#batch = [];
      this.#stopWaiting?.();
      this.#options.onEnd();
    }
    return END;
  }

  /** The next match among the recent events; undefined at the head, and where the ring does not reach back. */
  #nextRecent(): PlanEvent | undefined {
    const { tail, filter, observer } = this.#options;
    for (;;) {
      const event = tail.recent(this.#position + 1n);
      if (event === undefined) return undefined;
      observer.ringHit();
      if (matches(event, filter)) return event;
      this.#position = event.seq;
      if (this.#position - this.#told >= CHECKPOINT_EVERY_EVENTS) return undefined;
    }
  }

  /** Reads the next matches from the database, unless some of the events there are no longer kept. */
  async #readBatch(): Promise<"READ" | "PRUNED"> {
    const { log, filter, observer } = this.#options;
    observer.batchRead();
    const { events, readTo, prunedTo } = await log.after(this.#position, filter, BATCH);
    if (this.#ended) return "READ";
    if (prunedTo > this.#position) return "PRUNED";
    this.#batch = [...events];
    if (events.length === 0) this.#position = readTo;
    return "READ";
  }

  async #reset(reason: ResetReason): Promise<IteratorResult<FeedItem>> {
    const { head } = await this.#options.log.extent();
    if (this.#ended) return END;
    await this.return();
    return { done: false, value: { kind: "RESET", reason, resumeAt: head } };
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      const takeBack = this.#options.tail.onNews(resolve);
      this.#stopWaiting = () => {
        takeBack();
        resolve();
      };
    });
  }

  #wasQuietFor(events: bigint, milliseconds: number): boolean {
    const passed = this.#position - this.#told;
    return passed >= events || (passed > 0n && Date.now() - this.#toldAt >= milliseconds);
  }

  #tell(item: FeedItem): IteratorResult<FeedItem> {
    this.#told = this.#position;
    this.#toldAt = Date.now();
    return { done: false, value: item };
  }
}
