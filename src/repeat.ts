/** Work that comes round again and again in the background, and that no failure of its own ends. */

export interface RepeatOptions {
  /** The time before the first round, and from the end of each to the next one, in milliseconds. */
  readonly everyMs: number;
  /** One round; where it is long, it asks between its steps whether to stop. */
  readonly work: (isStopped: () => boolean) => Promise<void>;
  /** Told why a round failed; the next one comes in its time, also where telling fails. */
  readonly onError: (error: unknown) => void;
}

/** Begins the rounds. Returns what stops them, which resolves after the one under way. */
export function repeat({ everyMs, work, onError }: RepeatOptions): () => Promise<void> {
  let stopped = false;
  const isStopped = () => stopped;
  let round = Promise.resolve();
  let timer = setTimeout(begin, everyMs);

  function begin(): void {
    round = work(isStopped)
      .catch(onError)
      .catch(() => {})
      .then(() => {
        if (!stopped) timer = setTimeout(begin, everyMs);
      });
  }

  return async () => {
    stopped = true;
    clearTimeout(timer);
    await round;
  };
}
