/** Points in time as clients write them (domain.md §3: UTC, milliseconds). Reading the clock is for others. */
import { z } from "zod";
import type { Instant } from "./plan.js";

/**
 * Reads an ISO 8601 date and time with `Z` or an offset; what is finer than a millisecond is cut off. Null if
 * malformed, on a day that does not exist, or outside of the years 0001 to 9999 in UTC: PostgreSQL has no year 0.
 */
export function parseInstant(text: string): Instant | null {
  if (!DATE_TIME.safeParse(text).success) return null;
  const instant = new Date(text).toISOString();
  return YEAR_OF_FOUR_DIGITS.test(instant) ? instant : null;
}

const DATE_TIME = z.iso.datetime({ offset: true });
const YEAR_OF_FOUR_DIGITS = /^(?!0000)\d{4}-/;
