/** Keeps what was opened, one thing after the other, so that all of it is closed again: the last first. */
export class Closers {
  readonly #closers: (() => unknown)[] = [];
  #closed: Promise<void> | undefined;

  /** `close` may answer a promise; what was added before is closed only after it. */
  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Closes everything, also where a part fails, and rejects with the first failure; a second call waits for the first. */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
