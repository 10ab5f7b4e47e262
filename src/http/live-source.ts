/**
 * What a subscription follows. A source that can be asked without a promise is asked so, since a crowd asks for each
 * item; every other stream is pulled.
 */

/** Who waits for something, and is told once that it may be there. */
export interface Sleeper {
  wake(): void;
}

export interface LiveSource {
  /** The next item, or the end; null where it must be waited for. Throws what the source failed with, as its end. */
  take(): IteratorResult<unknown, unknown> | null;
  /** Wakes `sleeper` once it is worth to take again; never before this has returned. */
  whenReady(sleeper: Sleeper): void;
  /** Ends it at once. */
  return(): Promise<unknown>;
}

/** A source whose items are the same objects for all who follow them, so that one answer to each is enough. */
export function isLive(source: object): source is LiveSource {
  return "take" in source && "whenReady" in source;
}

/** Any stream as a source. */
export class PulledSource implements LiveSource {
  readonly #items: AsyncIterator<unknown, unknown>;
  #step: IteratorResult<unknown, unknown> | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(items: AsyncIterator<unknown, unknown>) {
    this.#items = items;
  }

  take(): IteratorResult<unknown, unknown> | null {
    if (this.#failure !== null) throw this.#failure.error;
    const step = this.#step;
    this.#step = null;
    return step;
  }

  whenReady(sleeper: Sleeper): void {
    this.#pull().then(() => sleeper.wake());
  }

  async return(): Promise<void> {
    await this.#items.return?.();
  }

  async #pull(): Promise<void> {
    try {
      this.#step = await this.#items.next();
    } catch (error) {
      this.#failure = { error };
    }
  }
}
