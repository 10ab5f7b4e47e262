/** A stream of which only the newest value matters: one that nobody has taken yet is replaced by the next. */
import type { Sleeper } from "./tail.js";

export class LatestValue<Value> implements AsyncIterableIterator<Value, undefined> {
  readonly #onEnd: () => void;
  #value: { readonly value: Value } | null = null;
  #failure: { readonly error: unknown } | null = null;
  #ended = false;
  #sleepers: Sleeper[] = [];

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  set(value: Value): void {
    this.#value = { value };
    this.#wake();
  }

  /** Ends the stream with an error, after a value that waits. */
  fail(error: unknown): void {
    this.#failure = { error };
    this.#wake();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The value that nobody has taken, null where there is none. Throws what the stream failed with. */
  take(): IteratorResult<Value, undefined> | null {
    if (this.#ended) return { done: true, value: undefined };
    if (this.#value !== null) {
      const { value } = this.#value;
      this.#value = null;
      return { done: false, value };
    }
    if (this.#failure === null) return null;
    this.#end();
    throw this.#failure.error;
  }

  /** Wakes `sleeper` once it is worth to take again; never before this has returned. */
  whenReady(sleeper: Sleeper): void {
    this.#sleepers.push(sleeper);
    if (this.#ended || this.#value !== null || this.#failure !== null) queueMicrotask(() => this.#wake());
  }

  async next(): Promise<IteratorResult<Value, undefined>> {
    for (;;) {
      const step = this.take();
      if (step !== null) return step;
      await new Promise<void>((wake) => this.whenReady({ wake }));
    }
  }

  /** Ends the stream at once, also while a pull waits. */
  async return(): Promise<IteratorResult<Value, undefined>> {
    this.#end();
    return { done: true, value: undefined };
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#wake();
    this.#onEnd();
  }

  #wake(): void {
    for (const sleeper of this.#sleepers.splice(0)) sleeper.wake();
  }
}
