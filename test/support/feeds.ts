/** Feeds of events for tests, over either transport, and where their cursors stand in the log. */
import { openEvents, openSocket } from "./http.js";

export const TRANSPORTS = ["websocket", "sse"] as const;
export type Transport = (typeof TRANSPORTS)[number];

export interface FeedEvent {
  readonly seq: string;
  readonly planId: string;
  readonly planVersion: number;
  readonly type: string;
  readonly from: FeedEventSide | null;
  readonly to: FeedEventSide;
  readonly data: Record<string, unknown>;
}

interface FeedEventSide {
  readonly phase: string;
  readonly state: string;
  readonly tags: readonly string[];
}

export type FeedItem =
  | {
      readonly __typename: "PlanEventItem";
      readonly cursor: string;
      readonly isReplay: boolean;
      readonly event: FeedEvent;
    }
  | { readonly __typename: "FeedCheckpoint"; readonly cursor: string }
  | { readonly __typename: "FeedReset"; readonly reason: string; readonly resumeAt: string };

export interface OpenFeed {
  /** The next item, or null where the server has ended the feed in good order; rejects where it failed. */
  next(): Promise<FeedItem | null>;
  /** The seqs of the next events, checkpoints passed over. */
  seqs(count: number): Promise<number[]>;
  /** The next event, checkpoints passed over. */
  event(): Promise<FeedEvent>;
  /** Drops the connection without a word. */
  drop(): void;
}

export interface FeedVariables {
  /** Whether what happened comes with each event; true if not given. */
  readonly data?: boolean;
  readonly after?: string | null;
  readonly filter?: object | null;
}

const SIDE = "{ phase state tags }";
export const FEED = `subscription($after: EventCursor, $filter: PlanEventFilter, $data: Boolean! = true) {
  planEvents(after: $after, filter: $filter) {
    __typename
    ... on PlanEventItem {
      cursor isReplay event { seq planId planVersion type from ${SIDE} to ${SIDE} data @include(if: $data) }
    }
    ... on FeedCheckpoint { cursor }
    ... on FeedReset { reason resumeAt }
  }
}`;

/** Opens a feed on a connection of its own. It has begun once its first item is there. */
export async function openFeed(
  endpoint: string,
  transport: Transport,
  variables: FeedVariables = {},
): Promise<OpenFeed> {
  return transport === "websocket" ? overWebSocket(endpoint, variables) : overSse(endpoint, variables);
}

/** Where a cursor stands in the log. */
export function seqOf(cursor: string): number {
  return Number(Buffer.from(cursor, "base64url").toString().split("/")[1]);
}

async function overWebSocket(endpoint: string, variables: FeedVariables): Promise<OpenFeed> {
  const client = await openSocket(endpoint);
  client.send({ id: "feed", type: "subscribe", payload: { query: FEED, variables } });
  return feedOf(
    async () => {
      const { type, payload } = await client.next();
      if (type === "complete") return null;
      if (type !== "next") throw new Error(`The feed failed: ${JSON.stringify(payload)}`);
      return payload as Result;
    },
    () => client.socket.terminate(),
  );
}

async function overSse(endpoint: string, variables: FeedVariables): Promise<OpenFeed> {
  const stream = await openEvents(endpoint, { query: FEED, variables });
  return feedOf(
    async () => {
      const event = await stream.next();
      if (event === null) throw new Error("The stream ended without a word.");
      return event.event === "complete" ? null : (event.data as Result);
    },
    () => stream.drop(),
  );
}

interface Result {
  readonly data?: { readonly planEvents: FeedItem } | null;
  readonly errors?: unknown;
}

function feedOf(read: () => Promise<Result | null>, drop: () => void): OpenFeed {
  const next = async () => {
    const result = await read();
    if (result === null) return null;
    if (result.data == null) throw new Error(`The feed failed: ${JSON.stringify(result.errors)}`);
    return result.data.planEvents;
  };
  const event = async () => {
    for (;;) {
      const item = await next();
      if (item?.__typename === "PlanEventItem") return item.event;
      if (item?.__typename !== "FeedCheckpoint")
        throw new Error(`There was no event but ${JSON.stringify(item)}.`);
    }
  };
  return {
    next,
    event,
    drop,
    async seqs(count) {
      const seqs: number[] = [];
      while (seqs.length < count) seqs.push(Number((await event()).seq));
      return seqs;
    },
  };
}
