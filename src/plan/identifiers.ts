/** ULIDs, the ids of everything that a plan owns: how they are read and made (domain.md §2). */
import { monotonicFactory } from "ulid";
import type { Ulid } from "./plan.js";

/**
 * Reads 26 characters of Crockford base32, lower case too, of which the first is 0 to 7 (more would not fit
 * into 128 bits). Null for anything else: I, L and O are not taken for 1 and 0, as one id has one spelling.
 */
export function parseUlid(text: string): Ulid | null {
  return ULID.test(text) ? text.toUpperCase() : null;
}

/**
 * Makes a source of ids that only ever grow, also within one millisecond and when the clock steps back.
 * `now` answers milliseconds since 1970.
 */
export function ulidGenerator(now: () => number): () => Ulid {
  const next = monotonicFactory();
  return () => next(now());
}

/** Both cases are spelled out, because the flag `i` is a matter of Unicode. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/;
