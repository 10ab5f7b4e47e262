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
}

export interface Exchange extends OperationFacts {
  readonly transport: "http" | "websocket";
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  readonly errorCodes: Set<string>;
  operationName: string | null;
  kind: "query" | "mutation" | "subscription" | null;
}

export function openExchange(
  transport: Exchange["transport"],
  actor: string | null,
  signal: AbortSignal,
): Exchange {
  return {
    requestId: randomUUID(),
    actor,
    signal,
    transport,
    startedAt: performance.now(),
    errorCodes: new Set(),
    operationName: null,
    kind: null,
  };
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
