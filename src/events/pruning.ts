/**
 * The retention of the log: in the background, in small steps, events that need not be kept are deleted; never the
 * last one of a plan. It goes through the log again and again, since what was a plan's last event may be so no more.
 */
import type { EventLog, Retention } from "./store.js";

export interface PruningOptions {
  readonly retention: Retention;
  /** The time between two steps, in milliseconds. */
  readonly everyMs: number;
  /** How many events one step looks at. */
  readonly stepSize: number;
  readonly onError: (error: unknown) => void;
}

/** Starts pruning; where everything is kept it does nothing. Returns what stops it, after the step under way. */
export function startPruning(log: EventLog, options: PruningOptions): () => Promise<void> {
  const { retention, everyMs, stepSize, onError } = options;
  if (retention.maxAgeMs === null && retention.maxEvents === null) return async () => {};
  let lookedTo = 0n;
  let step = Promise.resolve();
  let timer = setTimeout(run, everyMs);
  let stopped = false;

  function run(): void {
    step = log
      .prune(lookedTo, stepSize, retention)
      .then((pruned) => {
        lookedTo = pruned.lookedTo ?? 0n;
      })
      .catch(onError)
      .then(() => {
        if (!stopped) timer = setTimeout(run, everyMs);
      });
  }

  return async () => {
    stopped = true;
    clearTimeout(timer);
    await step;
  };
}
