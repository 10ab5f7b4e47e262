/**
 * JSON as data: what of a received value cannot be kept, and writing it in an order that JavaScript objects
 * cannot hold. Keys are only ever copied by spread, `Object.entries` and `Object.fromEntries`, which
 * take `__proto__` and `constructor` for ordinary keys; assignment does not.
 */
import { writeJson } from "../json-writing.js";
import type { JsonObject, JsonValue } from "./plan.js";
import type { IssueCode } from "./refusals.js";
import { isStorable } from "./text.js";

/** The limit of one JSON object, in bytes of its text in UTF-8. */
export const JSON_SIZE_LIMIT = 256 * 1024;

/** How deep objects and lists may stand in each other, the outermost counted. */
export const JSON_DEPTH_LIMIT = 64;

/** How many issues of one value are reported, so that a small request never makes a huge answer. */
export const JSON_ISSUES_LIMIT = 100;

export interface JsonIssue {
  /** Keys and places from the value inwards. */
  readonly path: readonly (string | number)[];
  readonly code: IssueCode;
  readonly message: string;
}

/**
 * What keeps a received value from being stored and given back equal: unstorable strings and keys, numbers
 * that overflowed (`1e999`), nesting over JSON_DEPTH_LIMIT, and what is not JSON at all. Looks no deeper than the limit,
 * so that no value overflows the stack. The first JSON_ISSUES_LIMIT issues, in the order of the value.
 */
export function jsonIssues(value: unknown): JsonIssue[] {
  const issues: JsonIssue[] = [];
  const path: (string | number)[] = [];
  const report = (code: IssueCode, message: string) => issues.push({ path: [...path], code, message });

  const inspectMember = (key: string | number, member: unknown) => {
    if (issues.length >= JSON_ISSUES_LIMIT) return;
    path.push(key);
    if (typeof key === "string" && !isStorable(key)) {
      report("NOT_STORABLE", "The key must not hold U+0000 or a lone surrogate.");
    }
    inspect(member);
    path.pop();
  };

  const inspect = (current: unknown) => {
    if (current === null || typeof current === "boolean") return;
    if (typeof current === "string") {
      if (!isStorable(current)) report("NOT_STORABLE", "Must not hold U+0000 or a lone surrogate.");
    } else if (typeof current === "number") {
      if (!Number.isFinite(current)) report("OUT_OF_RANGE", "Is too large a number.");
    } else if (typeof current !== "object") {
      report("WRONG_TYPE", "Is not a JSON value.");
    } else if (path.length >= JSON_DEPTH_LIMIT) {
      report("TOO_LARGE", `Is nested more than ${JSON_DEPTH_LIMIT} deep.`);
    } else {
      const members = Array.isArray(current) ? current.entries() : Object.entries(current);
      for (const [key, member] of members) inspectMember(key, member);
    }
  };

  inspect(value);
  return issues.slice(0, JSON_ISSUES_LIMIT);
}

/** The bytes of a value's JSON text in UTF-8. The value has no issues. */
export function jsonSize(value: JsonValue): number {
  return Buffer.byteLength(writeJson(value));
}

/** The text of an object whose members have their texts already; their order is kept, whatever the keys. */
export function objectText(members: readonly (readonly [key: string, text: string])[]): string {
  return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
}

/** The text of an object with its members in the given order of keys. */
export function orderedText(object: JsonObject, order: readonly string[]): string {
  return objectText(membersInOrder(object, order).map(([key, value]) => [key, writeJson(value)]));
}

/** The members of an object in the given order of keys; members that it does not name come last. */
export function membersInOrder(object: JsonObject, order: readonly string[]): [string, JsonValue][] {
  const place = new Map(order.map((key, index) => [key, index]));
  const placeOf = ([key]: [string, JsonValue]) => place.get(key) ?? order.length;
  return Object.entries(object).sort((left, right) => placeOf(left) - placeOf(right));
}

/** Both objects' members by top-level key: the newer value stands, at the place of the older. */
export function mergeTopLevel(older: JsonObject, newer: JsonObject): JsonObject {
  return { ...older, ...newer };
}

/** One text for equal values: keys sorted by code unit at every level, no spaces. The value has no issues. */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== "object") return writeJson(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const keys = Object.keys(value).sort();
  return objectText(membersInOrder(value, keys).map(([key, member]) => [key, canonicalJson(member)]));
}

/** `Array.isArray` does not narrow readonly lists. */
export function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}
