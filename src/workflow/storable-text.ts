/** Finds text that the format allows and the database can't hold (workflow-plan.md §8). */
import { type ExactJson, isExactContainer } from "./exact-json.js";
import type { IssueReport } from "./issues.js";
import type { Pace, Work } from "./work.js";

/**
 * Refuses each such text of what was read, keys included, where it stands in what was given: what was inherited
 * is refused where it comes from, and what could not be read, or is dropped, is not looked at.
 */
export function* refuseUnstorable(
  read: unknown,
  given: ExactJson,
  report: IssueReport,
  pace: Pace,
): Work<void> {
  if (typeof read !== "object" || read === null || !isExactContainer(given)) return;
  for (const [step, inner] of given.entries()) {
    if (report.isFull) return;
    if (pace.isDue()) yield;
    const part = partOf(read, step);
    if (part === undefined) continue;
    report.enter(step);
    if (isUnstorable(step) || isUnstorable(part)) {
      report.refuse(
        "NOT_STORABLE",
        "Must not hold U+0000 or half a surrogate pair; the database can't hold them.",
      );
    }
    if (isExactContainer(inner)) yield* refuseUnstorable(part, inner, report, pace);
    report.leave();
  }
}

function partOf(whole: object, step: string | number): unknown {
  if (whole instanceof Map) return whole.get(step);
  return Object.getOwnPropertyDescriptor(whole, step)?.value;
}

function isUnstorable(value: unknown): boolean {
  return typeof value === "string" && UNSTORABLE.test(value);
}

const UNSTORABLE = /[\0\p{Surrogate}]/u;
