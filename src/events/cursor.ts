/** Cursors: a place in the log of one database, opaque to clients (events.md, The log). */
import { CURSOR_LENGTH_LIMIT } from "../plan/query-inputs.js";

export type CursorFault = "CURSOR_INVALID" | "CURSOR_FOREIGN";

export function writeCursor(identity: string, seq: bigint): string {
  return Buffer.from(`${identity}/${seq}`).toString("base64url");
}

/** The seq that a cursor of the log `identity` names, or what is wrong with it; a text of any length is read in no time. */
export function readCursor(identity: string, text: string): bigint | CursorFault {
  // Of an object with a `length`, which a free scalar lets through as a text, a buffer would be made.
  if (typeof text !== "string" || text.length > CURSOR_LENGTH_LIMIT) return "CURSOR_INVALID";
  const [log, seq, ...rest] = Buffer.from(text, "base64url").toString().split("/");
  if (log === undefined || seq === undefined || rest.length > 0 || !/^\d{1,19}$/.test(seq))
    return "CURSOR_INVALID";
  if (BigInt(seq) > LAST_SEQ) return "CURSOR_INVALID";
  return log === identity ? BigInt(seq) : "CURSOR_FOREIGN";
}

/** The log counts in 64 bits, as PostgreSQL's bigint does. */
const LAST_SEQ = 2n ** 63n - 1n;
