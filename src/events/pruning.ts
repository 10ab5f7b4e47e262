/**
 * The retention of the log: in the background, in small steps, events that need not be kept are deleted; never the
 * last one of a plan. It goes through the log again and again, since what was a plan's last event may be so no more.
 */
import type { EventLog, Retention } from "./store.js";

export interface PruningOptions {
  readonly retention: Retention;
  /** The time after a step that found nothing to delete, in milliseconds; after another one the next follows at once. */
  readonly everyMs: number;
  /** How many events one step looks at. */
  readonly stepSize: number;
  readonly onError: (error: unknown) => void;
}

/** Starts pruning; where everything is kept it does nothing. Returns what stops it, after the step under way. */
export function startPruning(log: EventLog, options: PruningOptions): () => Promise<void> {
  const { retention, everyMs, stepSize, onError } = options;
  if (retention.maxAgeMs === null && retention.maxEvents === null) return async () => {};
  let step = Promise.resolve();
  let timer = setTimeout(run, everyMs);
  let stopped = false;
  let lookedTo = 0n;

  function run(): void {
    step = prune()
      .catch(onError)
      .then(() => {
        if (!stopped) timer = setTimeout(run, everyMs);
      });
  }

  /** Steps until there is nothing to delete, so that no burst of events outruns it. */
  async function prune(): Promise<void> {
    let deleted = 0;
    do {
      const pruned = await log.prune(lookedTo, stepSize, retention);
      lookedTo = pruned.lookedTo ?? 0n;
      deleted = pruned.deleted;
    } while (deleted > 0 && !stopped);
  }

  return async () => {
    stopped = true;
    clearTimeout(timer);
    await step;
  };
}
