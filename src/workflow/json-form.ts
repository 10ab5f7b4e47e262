/**
 * The two texts of an exact value: the canonical one, for people and storage, and the one the digest is made
 * of. They differ in the order of keys and in what is escaped (workflow-plan.md §8).
 */
import { type ExactJson, type ExactList, ExactNumber, type ExactObject, isExactList } from "./exact-json.js";
import { reprOfFraction } from "./python-text.js";

/** Compact JSON with the keys as they stand, nothing escaped beyond what JSON needs. */
export function canonicalJson(value: ExactJson): string {
  return jsonText(value, CANONICAL);
}

/** Compact JSON with the keys of every object by code point, in printable ASCII. */
export function digestJson(value: ExactJson): string {
  return jsonText(value, DIGEST);
}

/** Keys by Unicode code point, where JavaScript sorts by UTF-16 unit. */
export function sortedByCodePoint(keys: Iterable<string>): string[] {
  const sorted = [...keys].sort();
  return sorted.some((key) => SURROGATE.test(key)) ? sorted.sort(byCodePoint) : sorted;
}

interface Form {
  string(text: string): string;
  keys(object: ExactObject): Iterable<string>;
}

const CANONICAL: Form = {
  string: (text) => `"${text.replace(MUST_ESCAPE, escapeOf)}"`,
  keys: (object) => object.keys(),
};

const DIGEST: Form = {
  string: (text) => `"${text.replace(MUST_ESCAPE, escapeOf).replace(NOT_PRINTABLE, unicodeEscape)}"`,
  keys: (object) => sortedByCodePoint(object.keys()),
};

function jsonText(value: ExactJson, form: Form): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return form.string(value);
  if (value instanceof ExactNumber) return numberText(value);
  return isExactList(value) ? listText(value, form) : objectText(value, form);
}

function listText(list: ExactList, form: Form): string {
  let text = "";
  for (const entry of list) text += `${text && ","}${jsonText(entry, form)}`;
  return `[${text}]`;
}

function objectText(object: ExactObject, form: Form): string {
  let text = "";
  for (const key of form.keys(object)) {
    text += `${text && ","}${form.string(key)}:${jsonText(object.get(key) ?? null, form)}`;
  }
  return `{${text}}`;
}

function numberText(number: ExactNumber): string {
  if (!number.isWhole) return reprOfFraction(Number(number.text));
  return number.text === "-0" ? "0" : number.text;
}

const SURROGATE = /[\ud800-\udfff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must be escaped
const MUST_ESCAPE = /["\\\x00-\x1f]/g;
const NOT_PRINTABLE = /[^\x20-\x7e]/g;

function escapeOf(char: string): string {
  return JSON.stringify(char).slice(1, -1);
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function byCodePoint(a: string, b: string): number {
  for (let at = 0; ; at++) {
    const ofA = a.codePointAt(at) ?? -1;
    const ofB = b.codePointAt(at) ?? -1;
    if (ofA !== ofB || ofA === -1) return ofA - ofB;
    if (ofA > 0xffff) at++;
  }
}
