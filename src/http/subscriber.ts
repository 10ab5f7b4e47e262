/**
 * One subscription of a WebSocket client: takes what its source has, and sends the answers. It waits for one thing at
 * a time: for the source, for an answer that is being made, or for what it sent to leave; so a client that reads
 * slowly holds its source back. There are many of them, and each waits for hours: it is small and makes no promises.
 */
import type { GraphQLError } from "graphql";
import type { Operation } from "./client-operations.js";
import type { Exchange } from "./exchange.js";
import { hasFailed } from "./failures.js";
import { type LiveSource, type Sleeper, sharesItems, sourceOf } from "./live-source.js";
import type { Answer, Audience } from "./shared-answers.js";
import type { SocketClient } from "./socket-client.js";
import { completeMessage, errorMessage, nextMessage, nextStart } from "./socket-messages.js";

/** How much of what its source has a subscriber sends in one write, in bytes. */
const JOINED_BYTES = 16 * 1024;

/** What the subscribers of a process have in common. */
export interface Office {
  /** The errors as the client of the exchange may read them, whatever was thrown. */
  present(errors: readonly unknown[], exchange: Exchange): readonly GraphQLError[];
  /** Called once for each operation that has ended. */
  ended(client: SocketClient, id: string, exchange: Exchange): void;
  /** A source that could not be ended in order. */
  failed(error: unknown): void;
}

interface Subscription {
  readonly office: Office;
  readonly client: SocketClient;
  readonly id: string;
  readonly exchange: Exchange;
  readonly items: AsyncIterator<unknown>;
  /** Joined for this subscriber, who leaves it. */
  readonly audience: Audience;
}

export class Subscriber implements Operation, Sleeper {
  readonly #office: Office;
  readonly #client: SocketClient;
  readonly #id: string;
  readonly #exchange: Exchange;
  readonly #source: LiveSource;
  readonly #audience: Audience;
  /** The answer to what was taken and not yet sent. */
  #answer: Answer | null = null;
  /** The write that took the last message, and how many bytes went into it. */
  #write = 0;
  #joinedBytes = 0;
  #ended = false;

  constructor({ office, client, id, exchange, items, audience }: Subscription) {
    this.#office = office;
    this.#client = client;
    this.#id = id;
    this.#exchange = exchange;
    this.#source = sourceOf(items);
    this.#audience = audience;
  }

  get isLeft(): boolean {
    return this.#ended;
  }

  /** Goes on as far as it can without waiting. */
  wake(): void {
    try {
      while (!this.#ended && this.#mayGoOn()) this.#deliver();
    } catch (error) {
      this.#fail([error]);
    }
  }

  leave(): void {
    this.#end();
  }

  /** Whether an answer is there and may be sent; else this waits for what is missing. */
  #mayGoOn(): boolean {
    // On a socket that is closing there is nothing to wait for but its close.
    if (!this.#client.isOpen) return false;
    if (!this.#hasRoom()) {
      this.#client.whenLeft(this);
      return false;
    }
    if (this.#answer === null) {
      const step = this.#source.take();
      if (step === null) {
        this.#source.whenReady(this);
        return false;
      }
      if (step.done) {
        this.#complete();
        return false;
      }
      this.#answer = this.#audience.answer(step.value, sharesItems(this.#source));
    }
    if (!this.#answer.isThere) this.#answer.whenThere(this);
    return this.#answer.isThere;
  }

  /** One write of a subscriber may be on its way; what goes into it before it is written is bounded. */
  #hasRoom(): boolean {
    if (this.#client.hasLeft(this.#write)) return true;
    return this.#write === this.#client.nextWrite && this.#joinedBytes < JOINED_BYTES;
  }

  #deliver(): void {
    const answer = this.#answer;
    this.#answer = null;
    if (answer === null) return;
    if (answer.text !== null) {
      this.#post(nextStart(this.#id), answer.text);
      return;
    }
    const result = answer.failed ?? {};
    const errors = result.errors ?? [];
    if (hasFailed(result)) this.#fail(errors);
    else
      this.#post(nextMessage(this.#id, { ...result, errors: this.#office.present(errors, this.#exchange) }));
  }

  #post(start: string, end?: Buffer): void {
    const write = this.#client.nextWrite;
    if (write !== this.#write) this.#joinedBytes = 0;
    this.#write = write;
    this.#joinedBytes += start.length + (end?.length ?? 0);
    this.#client.post(start, end);
  }

  #complete(): void {
    this.#end();
    this.#client.post(completeMessage(this.#id));
  }

  #fail(thrown: readonly unknown[]): void {
    if (this.#ended) return;
    const errors = this.#office.present(thrown, this.#exchange);
    this.#client.post(errorMessage(this.#id, errors));
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#source.return().catch((error: unknown) => this.#office.failed(error));
    this.#audience.leave();
    this.#office.ended(this.#client, this.#id, this.#exchange);
  }
}
