/**
 * JSON values that keep what JavaScript's own lose: the order of all keys, `__proto__` as a key like any other,
 * and numbers as they were written. Nothing here knows what a workflow plan is.
 */

/** A JSON value as it was written. */
export type ExactJson = ExactScalar | ExactContainer;
export type ExactScalar = null | boolean | string | ExactNumber;
export type ExactContainer = ExactList | ExactObject;
export type ExactList = readonly ExactJson[];
/** Keys in the order of their first mention, as in a Python dict. */
export type ExactObject = ReadonlyMap<string, ExactJson>;

/** A JSON number by its text. */
export class ExactNumber {
  constructor(readonly text: string) {}

  /** Whether Python reads it as an int: `1.0` and `1e3` are fractions. */
  get isWhole(): boolean {
    return !/[.eE]/.test(this.text);
  }

  /** Whether it is a number for Python too: whole ones always are, `1e400` is not. */
  get isFinite(): boolean {
    return this.isWhole || Number.isFinite(Number(this.text));
  }
}

export function isExactContainer(value: ExactJson): value is ExactContainer {
  return typeof value === "object" && value !== null && !(value instanceof ExactNumber);
}

export function isExactObject(value: ExactJson): value is ExactObject {
  return value instanceof Map;
}

export function isExactList(value: ExactJson): value is ExactList {
  return Array.isArray(value);
}

/** A value as a sentence names it: `the number 1.5`, `a list`; long texts are cut. */
export function nameOfValue(value: ExactJson): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return `the string ${JSON.stringify(clip(value))}`;
  if (value instanceof ExactNumber) return `the number ${clip(value.text)}`;
  return isExactObject(value) ? "an object" : "a list";
}

/** A text cut to what fits into a message. */
export function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
