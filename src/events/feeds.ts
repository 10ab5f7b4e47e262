/** The feeds of this process: they begin at a cursor or at the head, and all end when the server stops. */
import type { EventPage, EventPageRequest, PlanEventFilter } from "../plan/reading.js";
import { readCursor, writeCursor } from "./cursor.js";
import { Feed, type FeedItem, type ResetReason } from "./feed.js";
import type { FeedObserver, FeedStatus } from "./observer.js";
import type { EventLog } from "./store.js";
import type { Tail } from "./tail.js";

export interface Feeds {
  cursor(seq: bigint): string;
  /** The seq that a cursor of this log names; null for any other text. */
  readCursor(text: string): bigint | null;
  head(): Promise<bigint>;
  page(filter: PlanEventFilter | null, request: EventPageRequest): Promise<EventPage>;
  /** The events after a cursor, or from the head as it is now. A cursor that cannot be served ends the feed. */
  follow(after: string | null, filter: PlanEventFilter | null): Promise<AsyncIterableIterator<FeedItem>>;
  status(): FeedStatus;
  /** Ends all feeds; none begins after it. */
  stop(): void;
}

export function eventFeeds(log: EventLog, tail: Tail, observer: FeedObserver): Feeds {
  const open = new Set<Feed>();
  let stopped = false;

  async function begin(
    after: string | null,
    filter: PlanEventFilter | null,
  ): Promise<AsyncIterableIterator<FeedItem>> {
    const live = await tail.join();
    try {
      const { head, prunedTo } = await log.extent();
      if (head > live.head) live.wake();
      const start = after === null ? head : readCursor(log.identity, after);
      if (typeof start === "string") return leaving(reset(start, head));
      if (start > head) return leaving(reset("CURSOR_AHEAD", head));
      if (start < prunedTo) return leaving(reset("CURSOR_EXPIRED", head));
      const feed = new Feed({
        log,
        tail: live,
        filter,
        after: start,
        head,
        checkpointFirst: after === null,
        observer,
        onEnd: ended,
      });
      open.add(feed);
      if (stopped) await feed.return();
      return feed;
    } catch (error) {
      tail.leave();
      throw error;
    }
  }

  function ended(feed: Feed): void {
    open.delete(feed);
    tail.leave();
  }

  function leaving(items: AsyncIterableIterator<FeedItem>): AsyncIterableIterator<FeedItem> {
    tail.leave();
    return items;
  }

  return {
    cursor: (seq) => writeCursor(log.identity, seq),
    readCursor: (text) => {
      const seq = readCursor(log.identity, text);
      return typeof seq === "bigint" ? seq : null;
    },
    head: async () => (await log.extent()).head,
    page: (filter, request) => log.page(filter, request),
    follow: begin,
    status: () => ({
      subscribers: open.size,
      slowestLag: [...open].reduce((most, feed) => Math.max(most, feed.lag), 0),
    }),
    stop: () => {
      stopped = true;
      for (const feed of [...open]) void feed.return();
    },
  };
}

async function* reset(reason: ResetReason, resumeAt: bigint): AsyncIterableIterator<FeedItem> {
  yield { kind: "RESET", reason, resumeAt };
}
