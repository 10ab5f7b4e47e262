/**
 * Lets old idempotency keys go, in the background and in small steps, so that no command waits for it. A key may
 * outlive its time until a step comes by; that it does is nobody's harm.
 */
import type { Database } from "../../database/database.js";
import { sql } from "./fragments.js";

/** How long a success is kept under its idempotency key, at least. */
const KEY_LIFETIME_HOURS = 24;
/** How many keys one transaction deletes. */
const STEP_SIZE = 1_000;

export interface ExpiryOptions {
  /** The time between two rounds, in milliseconds. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** Starts rounds of forgetting. Returns what stops them, after the step under way. */
export function startForgettingKeys(
  database: Database,
  { everyMs, onError }: ExpiryOptions,
): () => Promise<void> {
  let stopped = false;
  let round = Promise.resolve();
  let timer = setTimeout(run, everyMs);

  async function forgetAll(): Promise<void> {
    while (!stopped && (await forgetKeys(database)) === STEP_SIZE);
  }

  function run(): void {
    round = forgetAll()
      .catch(onError)
      .then(() => {
        if (!stopped) timer = setTimeout(run, everyMs);
      });
  }

  return async () => {
    stopped = true;
    clearTimeout(timer);
    await round;
  };
}

/** One step: deletes some of the keys whose time is over, and answers how many; those that another process is at are left to it. */
export function forgetKeys(database: Database): Promise<number> {
  return database.transaction((tx) =>
    tx.$executeRaw(sql`DELETE FROM idempotency_key WHERE key IN (SELECT key FROM idempotency_key
        WHERE created_at < clock_timestamp() - make_interval(hours => ${KEY_LIFETIME_HOURS})
        ORDER BY created_at LIMIT ${STEP_SIZE} FOR UPDATE SKIP LOCKED)`),
  );
}
