/**
 * Takes JavaScript's own JSON values, as a GraphQL variable brings them, into exact values. What the variable
 * lost (the place of integer-like keys, `1.0`) stays lost; everything else is kept.
 */
import { type ExactJson, ExactNumber } from "./exact-json.js";
import type { IssueReport } from "./issues.js";
import { DEPTH_LIMIT, KEY_LIMIT } from "./json-text.js";
import { Pace, type Work } from "./work.js";

/**
 * The exact value of a JSON value of at most so many UTF-8 bytes as compact text; undefined when it was
 * refused, with the issue in the report.
 */
export function* exactFromPlain(
  value: unknown,
  sizeLimit: number,
  report: IssueReport,
): Work<ExactJson | undefined> {
  const conversion = new Conversion(report, sizeLimit);
  const exact = yield* conversion.convert(value, 1);
  if (conversion.isTooLarge)
    report.refuse("TOO_LARGE", `Must be at most ${sizeLimit} bytes as compact JSON.`);
  return report.issues.length === 0 ? exact : undefined;
}

class Conversion {
  readonly #report: IssueReport;
  readonly #pace = new Pace();
  #bytesLeft: number;

  constructor(report: IssueReport, sizeLimit: number) {
    this.#report = report;
    this.#bytesLeft = sizeLimit;
  }

  get isTooLarge(): boolean {
    return this.#bytesLeft < 0;
  }

  *convert(value: unknown, depth: number): Work<ExactJson> {
    if (typeof value !== "object" || value === null) return this.#scalar(value);
    if (depth > DEPTH_LIMIT) {
      this.#report.refuse("TOO_DEEP", `Nested deeper than the limit of ${DEPTH_LIMIT} levels.`);
      return null;
    }
    return Array.isArray(value) ? yield* this.#list(value, depth) : yield* this.#object(value, depth);
  }

  *#list(list: readonly unknown[], depth: number): Work<ExactJson> {
    const exact: ExactJson[] = [];
    for (const [index, entry] of list.entries()) {
      if (this.#isOver) break;
      if (this.#pace.isDue()) yield;
      this.#bytesLeft -= 1;
      this.#report.enter(index);
      exact.push(yield* this.convert(entry, depth + 1));
      this.#report.leave();
    }
    return exact;
  }

  *#object(object: object, depth: number): Work<ExactJson> {
    const exact = new Map<string, ExactJson>();
    const entries = Object.entries(object);
    if (entries.length > KEY_LIMIT) {
      this.#report.refuse("TOO_MANY_KEYS", `An object may have at most ${KEY_LIMIT} keys.`);
      return exact;
    }
    for (const [key, entry] of entries) {
      if (this.#isOver) break;
      if (this.#pace.isDue()) yield;
      this.#bytesLeft -= Buffer.byteLength(key) + 4;
      this.#report.enter(key);
      exact.set(key, yield* this.convert(entry, depth + 1));
      this.#report.leave();
    }
    return exact;
  }

  #scalar(value: unknown): ExactJson {
    if (typeof value === "number" && Number.isFinite(value)) {
      const number = new ExactNumber(JSON.stringify(value));
      this.#bytesLeft -= number.text.length;
      return number;
    }
    this.#bytesLeft -= typeof value === "string" ? Buffer.byteLength(value) + 2 : 4;
    if (value === null || typeof value === "boolean" || typeof value === "string") return value;
    this.#report.refuse(
      "NOT_JSON",
      `Must be a JSON value, not ${typeof value === "number" ? value : typeof value}.`,
    );
    return null;
  }

  get #isOver(): boolean {
    return this.#bytesLeft < 0 || this.#report.isFull;
  }
}
