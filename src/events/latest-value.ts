/** A stream of which only the newest value matters: one that nobody has taken yet is replaced by the next. */
export class LatestValue<Value> implements AsyncIterableIterator<Value> {
  readonly #onEnd: () => void;
  #value: { readonly value: Value } | null = null;
  #failure: { readonly error: unknown } | null = null;
  #ended = false;
  #waiting: (() => void)[] = [];

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

  async next(): Promise<IteratorResult<Value>> {
    while (!this.#ended) {
      if (this.#value !== null) {
        const { value } = this.#value;
        this.#value = null;
        return { done: false, value };
      }
      if (this.#failure !== null) {
        const { error } = this.#failure;
        await this.return();
        throw error;
      }
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    return { done: true, value: undefined };
  }

  /** Ends the stream at once, also while a pull waits. */
  async return(): Promise<IteratorResult<Value>> {
    if (!this.#ended) {
      this.#ended = true;
      this.#wake();
      this.#onEnd();
    }
    return { done: true, value: undefined };
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
