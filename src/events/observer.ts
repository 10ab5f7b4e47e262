/** What the feeds tell of their work, for whoever counts it. */

export interface FeedObserver {
  /** A feed looked at an event in memory. */
  ringHit(): void;
  /** A feed read a batch of events from the database. */
  batchRead(): void;
  /** An event was handed to a client. */
  eventDelivered(): void;
  /** The tail read so many new events. */
  eventsRead(count: number): void;
  /** The tail was told that there may be new events. */
  wokenUp(): void;
}

/** The feeds at a moment. */
export interface FeedStatus {
  readonly subscribers: number;
  /** How many events the slowest of them is behind the head of the log. */
  readonly slowestLag: number;
}
