/**
 * Operations that come as requests: reads the body of one, has it carried out, and answers. Who may ask is decided
 * before it; operations over sockets come by `socket-operations.ts`.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Bodies, type Body, discardBody } from "./body.js";
import { type Exchange, openExchange, summarise } from "./exchange.js";
import { type RequestFacts, refuseOperation } from "./guard.js";
import type { InFlight } from "./inflight.js";
import type { Log } from "./log.js";
import type { PlainOperations } from "./plain-operations.js";
import { bodyRefusal, type HttpRefusal, shuttingDown, tooManyConnections } from "./refusals.js";
import { send, sendAnswer, sendRefusal } from "./respond.js";
import type { Engine } from "./yoga.js";

export interface OperationRequestsOptions {
  readonly engine: Engine;
  readonly plain: PlainOperations;
  readonly log: Log;
  /** In bytes. */
  readonly maxBodyBytes: number;
  /** What a server that stops waits for: operations, but not the feeds that they have opened. */
  readonly work: InFlight;
  /** Aborts when no new work is taken. */
  readonly stopping: AbortSignal;
  /** Aborts when streams are to end. */
  readonly ending: AbortSignal;
  /** Takes one of the places for event streams until the response has closed, or answers why there is none. */
  readonly takePlace: (response: ServerResponse) => HttpRefusal | null;
}

export class OperationRequests {
  readonly #options: OperationRequestsOptions;
  readonly #bodies: Bodies;

  constructor(options: OperationRequestsOptions) {
    this.#options = options;
    this.#bodies = new Bodies(options.maxBodyBytes);
  }

  async serve(request: IncomingMessage, response: ServerResponse, facts: RequestFacts): Promise<void> {
    const { stopping, work } = this.#options;
    const exchange = exchangeOf(request);
    response.setHeader("x-request-id", exchange.requestId);
    this.#logAtEnd(exchange, response, facts.method);
    const refuse = (refusal: HttpRefusal) => {
      exchange.errorCodes.add(refusal.code);
      sendRefusal(response, refusal);
      discardBody(request);
    };
    const refusal = stopping.aborted ? shuttingDown : refuseOperation(facts);
    if (refusal) return refuse(refusal);
    const body = facts.method === "POST" ? await this.#bodies.read(request) : undefined;
    if (typeof body === "string") return refuse(bodyRefusal(body, this.#options.maxBodyBytes));
    // The body may have taken its time; from here on the work is waited for.
    if (stopping.aborted) {
      body?.release();
      return refuse(shuttingDown);
    }
    const finish = work.begin();
    const release = () => {
      finish();
      body?.release();
    };
    try {
      await this.#answer(exchange, request, response, facts, body, release);
    } finally {
      release();
    }
  }

  /** Calls `release` as soon as nothing but a feed is left of the operation. */
  async #answer(
    exchange: Exchange,
    request: IncomingMessage,
    response: ServerResponse,
    facts: RequestFacts,
    body: Body | undefined,
    release: () => void,
  ): Promise<void> {
    const { engine, plain, ending } = this.#options;
    const text = body && (await plain.answer(body.bytes, request.headers.accept, exchange));
    if (text) {
      if (!response.destroyed) send(response, 200, text.contentType, text.text);
      return;
    }
    const takePlace = () => this.#options.takePlace(response);
    const answer = await engine.handleRequest(this.#engineRequest(facts, body), { exchange, takePlace });
    if (exchange.kind === "subscription") release();
    if (exchange.errorCodes.has(tooManyConnections.code)) {
      await answer.body?.cancel();
      return sendRefusal(response, tooManyConnections);
    }
    await sendAnswer(answer, response, ending);
  }

  #engineRequest({ method, url, headers }: RequestFacts, body: Body | undefined): Request {
    const copied = Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as [string, string]] : [],
    );
    const request = new this.#options.engine.fetchAPI.Request(url, {
      method,
      headers: copied,
      body: body?.bytes,
    });
    if (method === "POST") request.headers.set("content-type", "application/json");
    return request;
  }

  #logAtEnd(exchange: Exchange, response: ServerResponse, method: string): void {
    const { log } = this.#options;
    if (!log.isLevelEnabled("info")) return;
    response.once("close", () => {
      log.info(
        { ...summarise(exchange), transport: "http", method, status: response.statusCode },
        "operation",
      );
    });
  }
}

function exchangeOf({ headers }: IncomingMessage): Exchange {
  const actor = headers["x-phaseline-actor"];
  const lastEventId = headers["last-event-id"];
  return openExchange(
    "http",
    typeof actor === "string" ? actor : null,
    typeof lastEventId === "string" && lastEventId !== "" ? lastEventId : null,
  );
}
