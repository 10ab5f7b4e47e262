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

/** One round: forgets until no key is too old, or until it is stopped. */
export async function forgetOldKeys(database: Database, isStopped: () => boolean): Promise<void> {
  while (!isStopped() && (await forgetKeys(database)) === STEP_SIZE);
}

/** One step: deletes some of the keys whose time is over, and answers how many; those that another process is at are left to it. */
export function forgetKeys(database: Database): Promise<number> {
  return database.transaction((tx) =>
    tx.$executeRaw(sql`DELETE FROM idempotency_key WHERE key IN (SELECT key FROM idempotency_key
        WHERE created_at < clock_timestamp() - make_interval(hours => ${KEY_LIFETIME_HOURS})
        ORDER BY created_at LIMIT ${STEP_SIZE} FOR UPDATE SKIP LOCKED)`),
  );
}
