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
import { JoinedText } from "./joined-text.js";
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
  if (isExactContainer(value)) return yield* containerText(value, form, pace);
  return typeof value === "string" && isLong(value) ? yield* longText(value, form) : scalarText(value, form);
}

/** Whether writing the string is work that should be cut into pieces. */
export function isLong(text: string): boolean {
  return text.length > CHARS_AT_ONCE;
}

/** A long string with its quotes; a surrogate pair is never cut in two, which the forms would take for halves. */
export function* longText(text: string, form: JsonForm): Work<string> {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + CHARS_AT_ONCE;
    const next = HIGH_SURROGATE.test(text.charAt(end - 1)) ? end - 1 : end;
    parts.push(form.string(text.slice(at, next)).slice(1, -1));
    at = next;
    yield;
  }
  return `"${parts.join("")}"`;
}

function* containerText(value: ExactContainer, form: JsonForm, pace: Pace): Work<string> {
  const parts = new JoinedText();
  if (isExactList(value)) {
    for (const entry of value) {
      if (pace.isDue()) yield;
      parts.add(isSimple(entry) ? scalarText(entry, form) : yield* exactText(entry, form, pace));
    }
    return `[${parts.end()}]`;
  }
  for (const key of form.sorted ? sortedByCodePoint(value.keys()) : value.keys()) {
    if (pace.isDue()) yield;
    const entry = value.get(key) ?? null;
    const name = isLong(key) ? yield* longText(key, form) : form.string(key);
    const text = isSimple(entry) ? scalarText(entry, form) : yield* exactText(entry, form, pace);
    parts.add(`${name}:${text}`);
  }
  return `{${parts.end()}}`;
}

function isSimple(value: ExactJson): value is ExactScalar {
  return typeof value === "string" ? !isLong(value) : !isExactContainer(value);
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

/** A string of so many characters is written in a few milliseconds. */
const CHARS_AT_ONCE = 64 * 1024;
/** Text that looks the same in both forms. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const HIGH_SURROGATE = /[\ud800-\udbff]/;
const SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must be escaped
const MUST_ESCAPE = /["\\\x00-\x1f]/g;
const NOT_PRINTABLE = /[^\x20-\x7e]+/g;

function escapeOf(char: string): string {
  return JSON.stringify(char).slice(1, -1);
}

/** Many are written into bytes: a text that grows by each of a million escapes costs many times more. */
function unicodeEscapes(units: string): string {
  if (units.length <= FEW_UNITS) return fewEscapes(units);
  const escapes = Buffer.alloc(units.length * 6, "\\u....", "latin1");
  for (let at = 0; at < units.length; at++) {
    const unit = units.charCodeAt(at);
    for (let digit = 0; digit < 4; digit++) {
      escapes[at * 6 + 2 + digit] = hexDigit((unit >> (12 - 4 * digit)) & 0xf);
    }
  }
  return escapes.toString("latin1");
}

function fewEscapes(units: string): string {
  let escapes = "";
  for (let at = 0; at < units.length; at++) {
    escapes += `\\u${units.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return escapes;
}

const FEW_UNITS = 16;

function hexDigit(value: number): number {
  return value < 10 ? 0x30 + value : 0x57 + value;
}
