/**
 * Takes JavaScript's own JSON values, as a GraphQL variable brings them, into exact values. What the variable
 * lost (the place of integer-like keys, `1.0`) stays lost; everything else is kept.
 */
import { type ExactJson, ExactNumber } from "./exact-json.js";
import type { IssueReport } from "./issues.js";
import { DEPTH_LIMIT, KEY_LIMIT } from "./json-text.js";
import { Pace, type Work } from "./work.js";

/** How much a value may hold: UTF-8 bytes as compact text, and values, those of lists and objects one by one. */
interface PlainLimits {
  readonly bytes: number;
  readonly values: number;
}

/** The exact value of a JSON value; undefined when it was refused, with the issue in the report. */
export function* exactFromPlain(
  value: unknown,
  limits: PlainLimits,
  report: IssueReport,
): Work<ExactJson | undefined> {
  const conversion = new Conversion(report, limits);
  const exact = yield* conversion.convert(value, 1);
  if (conversion.isTooLarge)
    report.refuse("TOO_LARGE", `Must be at most ${limits.bytes} bytes as compact JSON.`);
  else if (conversion.holdsTooMany)
    report.refuse("TOO_MANY_VALUES", `There may be at most ${limits.values} values.`);
  return report.issues.length === 0 ? exact : undefined;
}

class Conversion {
  readonly #report: IssueReport;
  readonly #pace = new Pace();
  #bytesLeft: number;
  #valuesLeft: number;

  constructor(report: IssueReport, limits: PlainLimits) {
    this.#report = report;
    this.#bytesLeft = limits.bytes;
    this.#valuesLeft = limits.values;
  }

  get isTooLarge(): boolean {
    return this.#bytesLeft < 0;
  }

  get holdsTooMany(): boolean {
    return this.#valuesLeft < 0;
  }

  *convert(value: unknown, depth: number): Work<ExactJson> {
    this.#valuesLeft -= 1;
    if (typeof value !== "object" || value === null) return this.#scalar(value);
    if (depth > DEPTH_LIMIT) {
      this.#report.refuse("TOO_DEEP", `Nested deeper than the limit of ${DEPTH_LIMIT} levels.`);
      return null;
    }
    return Array.isArray(value)
      ? yield* this.#list(value, depth)
      : yield* this.#object(value as Readonly<Record<string, unknown>>, depth);
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

  *#object(object: Readonly<Record<string, unknown>>, depth: number): Work<ExactJson> {
    const exact = new Map<string, ExactJson>();
    const keys = Object.keys(object);
    if (keys.length > KEY_LIMIT) {
      this.#report.refuse("TOO_MANY_KEYS", `An object may have at most ${KEY_LIMIT} keys.`);
      return exact;
    }
    for (const key of keys) {
      if (this.#isOver) break;
      if (this.#pace.isDue()) yield;
      this.#bytesLeft -= Buffer.byteLength(key) + 4;
      this.#report.enter(key);
      exact.set(key, yield* this.convert(object[key], depth + 1));
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
    return this.isTooLarge || this.holdsTooMany || this.#report.isFull;
  }
}
