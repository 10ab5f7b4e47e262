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

/** `items` as a source, itself where it is one. */
export function sourceOf(items: AsyncIterator<unknown, unknown>): LiveSource {
  return isLive(items) ? items : new PulledSource(items);
}

/**
 * Whether all who follow the same get the same objects, so that one answer to each is enough. So it is with every
 * source that can be asked without a promise, and with streams that say so.
 */
export function sharesItems(source: LiveSource): boolean {
  return !(source instanceof PulledSource) || source.sharesItems;
}

function isLive(items: object): items is LiveSource {
  return "take" in items && "whenReady" in items;
}

/** Any stream as a source. */
class PulledSource implements LiveSource {
  readonly #items: AsyncIterator<unknown, unknown>;
  #step: IteratorResult<unknown, unknown> | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(items: AsyncIterator<unknown, unknown>) {
    this.#items = items;
  }

  get sharesItems(): boolean {
    return "sharesItems" in this.#items;
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
