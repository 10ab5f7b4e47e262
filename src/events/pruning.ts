/**
 * The retention of the log: in the background, in small steps, events that need not be kept are deleted; never the
 * last one of a plan. It goes through the log again and again, since what was a plan's last event may be so no more.
 */
import { repeat } from "../repeat.js";
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
export function startPruning(
  log: EventLog,
  { retention, everyMs, stepSize, onError }: PruningOptions,
): () => Promise<void> {
  if (retention.maxAgeMs === null && retention.maxEvents === null) return async () => {};
  let lookedTo = 0n;

  /** Steps until there is nothing to delete, so that no burst of events outruns it. */
  async function prune(isStopped: () => boolean): Promise<void> {
    let deleted = 0;
    do {
      const pruned = await log.prune(lookedTo, stepSize, retention);
      lookedTo = pruned.lookedTo ?? 0n;
      deleted = pruned.deleted;
    } while (deleted > 0 && !isStopped());
  }

  return repeat({ everyMs, work: prune, onError });
}
