/**
 * The two forms of JSON text: the canonical one, for people and storage, and the one the digest is made of. They
 * differ in the order of keys and in what is escaped (workflow-plan.md §8).
 */
import {
  type ExactContainer,
  type ExactJson,
  ExactNumber,
  type ExactScalar,
  isExactContainer,
  isExactList,
} from "./exact-json.js";
import { reprOfFraction } from "./python-text.js";
import type { Pace, Work } from "./work.js";

/** How values become compact JSON text. */
export interface JsonForm {
  /** Whether keys are ordered by code point, or stand as they are. */
  readonly sorted: boolean;
  /** A string with its quotes. */
  string(text: string): string;
}

/** Keys as they stand, nothing escaped beyond what JSON needs. */
export const CANONICAL: JsonForm = {
  sorted: false,
  string(text) {
    if (PLAIN.test(text)) return `"${text}"`;
    // JSON.stringify escapes half a surrogate pair too, which JSON does not need.
    return LONE_SURROGATE.test(text) ? `"${text.replace(MUST_ESCAPE, escapeOf)}"` : JSON.stringify(text);
  },
};

/** Keys by code point at every level, in printable ASCII. */
export const DIGEST: JsonForm = {
  sorted: true,
  string: (text) =>
    PLAIN.test(text) ? `"${text}"` : JSON.stringify(text).replace(NOT_PRINTABLE, unicodeEscapes),
};

/** The text of an exact value. */
export function* exactText(value: ExactJson, form: JsonForm, pace: Pace): Work<string> {
  return isExactContainer(value) ? yield* containerText(value, form, pace) : scalarText(value, form);
}

function* containerText(value: ExactContainer, form: JsonForm, pace: Pace): Work<string> {
  // Joined at once: text added bit by bit stays a tree of bits, which costs more than it holds.
  const parts: string[] = [];
  if (isExactList(value)) {
    for (const entry of value) {
      if (pace.isDue()) yield;
      parts.push(isExactContainer(entry) ? yield* containerText(entry, form, pace) : scalarText(entry, form));
    }
    return `[${parts.join(",")}]`;
  }
  for (const key of form.sorted ? sortedByCodePoint(value.keys()) : value.keys()) {
    if (pace.isDue()) yield;
    const entry = value.get(key) ?? null;
    const text = isExactContainer(entry) ? yield* containerText(entry, form, pace) : scalarText(entry, form);
    parts.push(`${form.string(key)}:${text}`);
  }
  return `{${parts.join(",")}}`;
}

function scalarText(value: ExactScalar, form: JsonForm): string {
  if (typeof value === "string") return form.string(value);
  if (!(value instanceof ExactNumber)) return String(value);
  if (!value.isWhole) return reprOfFraction(Number(value.text));
  return value.text === "-0" ? "0" : value.text;
}

/** Keys by Unicode code point, where JavaScript sorts by UTF-16 unit. */
function sortedByCodePoint(keys: Iterable<string>): string[] {
  const sorted = [...keys].sort();
  return sorted.some((key) => SURROGATE.test(key)) ? sorted.sort(byCodePoint) : sorted;
}

function byCodePoint(a: string, b: string): number {
  for (let at = 0; ; at++) {
    const ofA = a.codePointAt(at) ?? -1;
    const ofB = b.codePointAt(at) ?? -1;
    if (ofA !== ofB || ofA === -1) return ofA - ofB;
    if (ofA > 0xffff) at++;
  }
}

/** Text that looks the same in both forms. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must be escaped
const MUST_ESCAPE = /["\\\x00-\x1f]/g;
const NOT_PRINTABLE = /[^\x20-\x7e]+/g;

function escapeOf(char: string): string {
  return JSON.stringify(char).slice(1, -1);
}

/** Written into bytes: a text that grows by each of a million escapes costs many times more. */
function unicodeEscapes(units: string): string {
  const escapes = Buffer.alloc(units.length * 6, "\\u....", "latin1");
  for (let at = 0; at < units.length; at++) {
    const unit = units.charCodeAt(at);
    for (let digit = 0; digit < 4; digit++) {
      escapes[at * 6 + 2 + digit] = hexDigit((unit >> (12 - 4 * digit)) & 0xf);
    }
  }
  return escapes.toString("latin1");
}

function hexDigit(value: number): number {
  return value < 10 ? 0x30 + value : 0x57 + value;
}
