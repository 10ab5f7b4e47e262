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
  /** The raw header `last-event-id` of an event stream that is taken up again; null when there is none. */
  readonly resumeAfter: string | null;
  /** Takes the place in the log of the result that comes next; an event stream carries it as the event's id. */
  noteCursor(cursor: string): void;
  /** Takes the response key of a mutation that has changed something: should its answer fail, the errors say so. */
  noteSuccess(mutation: string): void;
}

export interface Exchange extends OperationFacts {
  readonly transport: "http" | "websocket";
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  readonly errorCodes: Set<string>;
  /** See `noteSuccess`; in the order of the document. */
  readonly succeeded: readonly string[];
  /** See `noteCursor`. */
  cursor: string | null;
  operationName: string | null;
  kind: "query" | "mutation" | "subscription" | null;
}

export function openExchange(
  transport: Exchange["transport"],
  actor: string | null,
  resumeAfter: string | null = null,
): Exchange {
  return new OpenExchange(transport, actor, resumeAfter);
}

/** A subscription keeps it for hours: what only some need is made when it is needed. */
class OpenExchange implements Exchange {
  readonly actor: string | null;
  readonly resumeAfter: string | null;
  readonly transport: Exchange["transport"];
  // A whole number, which takes no place of its own.
  readonly startedAt = Math.floor(performance.now());
  cursor: string | null = null;
  operationName: string | null = null;
  kind: Exchange["kind"] = null;
  readonly noteCursor: (cursor: string) => void;
  #requestId: string | null = null;
  #errorCodes: Set<string> | null = null;
  #succeeded: string[] | null = null;

  constructor(transport: Exchange["transport"], actor: string | null, resumeAfter: string | null) {
    this.transport = transport;
    this.actor = actor;
    this.resumeAfter = resumeAfter;
    this.noteCursor = transport === "websocket" ? ignore : (cursor) => this.#note(cursor);
  }

  get requestId(): string {
    this.#requestId ??= randomUUID();
    return this.#requestId;
  }

  get errorCodes(): Set<string> {
    this.#errorCodes ??= new Set();
    return this.#errorCodes;
  }

  get succeeded(): readonly string[] {
    return this.#succeeded ?? [];
  }

  noteSuccess(mutation: string): void {
    this.#succeeded ??= [];
    this.#succeeded.push(mutation);
  }

  #note(cursor: string): void {
    this.cursor = cursor;
  }
}

/** A WebSocket message carries no id of its event. */
function ignore(): void {}

/** The part of an operation's log line that both transports share. */
export function summarise(exchange: Exchange) {
  return {
    requestId: exchange.requestId,
    operation: exchange.operationName ?? undefined,
    kind: exchange.kind ?? undefined,
    ms: Math.floor(performance.now()) - exchange.startedAt,
    errorCodes: exchange.errorCodes.size > 0 ? [...exchange.errorCodes] : undefined,
  };
}
