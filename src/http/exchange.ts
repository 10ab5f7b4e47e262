/**
 * What the server knows of one operation while it runs: who asks, under which id it stands in the log, and
 * what came of it. Both transports make one for each operation; it is not the context that resolvers see.
 */
import { randomUUID } from "node:crypto";

/** The facts about an operation that its GraphQL context may be built from. */
export interface OperationFacts {
  /** Stands in the log, in the header `x-request-id` and in every masked error. */
  readonly requestId: string;
  /** The raw header `x-phaseline-actor` or connection parameter `actor`; null when there is none. */
  readonly actor: string | null;
  /** Aborted as soon as the client is gone. A mutation runs on all the same. */
  readonly signal: AbortSignal;
  /** The raw header `last-event-id` of an event stream that is taken up again; null when there is none. */
  readonly resumeAfter: string | null;
  /** Takes the place in the log of the result that comes next; an event stream carries it as the event's id. */
  noteCursor(cursor: string): void;
}

export interface Exchange extends OperationFacts {
  readonly transport: "http" | "websocket";
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  readonly errorCodes: Set<string>;
  /** See `noteCursor`. */
  cursor: string | null;
  operationName: string | null;
  kind: "query" | "mutation" | "subscription" | null;
}

export function openExchange(
  transport: Exchange["transport"],
  actor: string | null,
  signal: AbortSignal,
  resumeAfter: string | null = null,
): Exchange {
  const exchange: Exchange = {
    requestId: randomUUID(),
    actor,
    signal,
    resumeAfter,
    transport,
    startedAt: performance.now(),
    errorCodes: new Set(),
    cursor: null,
    operationName: null,
    kind: null,
    noteCursor: (cursor) => {
      exchange.cursor = cursor;
    },
  };
  return exchange;
}

/** The part of an operation's log line that both transports share. */
export function summarise(exchange: Exchange) {
  return {
    requestId: exchange.requestId,
    operation: exchange.operationName ?? undefined,
    kind: exchange.kind ?? undefined,
    ms: Math.round(performance.now() - exchange.startedAt),
    errorCodes: exchange.errorCodes.size > 0 ? [...exchange.errorCodes] : undefined,
  };
}
