/**
 * The rules of single fields, of which the schemas of inputs are made; each is written here once. They only
 * check, and change nothing: what a command stores is read again by the parsers. GraphQL lets any value of its
 * free scalars (ULID, JSON, DateTime) through, so types are checked too.
 */
import { z } from "zod";
import { parseUlid } from "./identifiers.js";
import { JSON_SIZE_LIMIT, jsonIssues, jsonSize } from "./json.js";
import { parseName } from "./names.js";
import type { JsonObject } from "./plan.js";
import type { IssueCode } from "./refusals.js";
import { codePoints, isBlank, isStorable, LONG_TEXT_LIMIT } from "./text.js";

/** Where in a value: keys and places from it inwards. */
type Path = readonly (string | number)[];

/** Adds an issue that carries one of our codes; the path is relative to the value that is checked. */
export function addIssue(
  context: z.RefinementCtx<unknown>,
  code: IssueCode,
  message: string,
  path: Path = [],
): void {
  context.addIssue({ code: "custom", message, path: [...path], params: { code } });
}

/** Checks a value by a further schema, and adds its issues below the given path. */
export function addIssuesOf(
  context: z.RefinementCtx<unknown>,
  schema: z.ZodType,
  value: unknown,
  path: Path = [],
): void {
  for (const issue of schema.safeParse(value).error?.issues ?? []) {
    context.addIssue({ ...issue, path: [...path, ...issue.path] });
  }
}

/** For rules across fields: zod would skip them where a single field is faulty, and hide their issues. */
export const ALSO_IF_FIELDS_FAIL = { when: ({ value }: { value: unknown }) => isRecord(value) };

/** A storable text of at most `max` code points. */
export function text(max: number): z.ZodType<string> {
  return z.string("Must be a text.").superRefine((value, context) => {
    if (!isStorable(value)) addIssue(context, "NOT_STORABLE", "Must not hold U+0000 or a lone surrogate.");
    if (codePoints(value) > max) addIssue(context, "TOO_LONG", `Must have at most ${max} code points.`);
  });
}

/** A text of at most `max` code points of which something can be seen. */
export function visibleText(max: number): z.ZodType<string> {
  return text(max).superRefine((value, context) => {
    if (isBlank(value)) addIssue(context, "BLANK", "Must not be blank.");
  });
}

export const longText = text(LONG_TEXT_LIMIT);

/** A text that a parser reads. */
export function readBy(parse: (text: string) => string | null, message: string): z.ZodType<string> {
  return z.string(message).superRefine((value, context) => {
    if (parse(value) === null) addIssue(context, "MALFORMED", message);
  });
}

export const ulid = readBy(
  parseUlid,
  "Must be a ULID: 26 characters of Crockford base32, the first of them 0 to 7.",
);

export const name = readBy(
  parseName,
  "Must be a name such as `review`, `team/review` or `host:team/review`.",
);

/** A JSON object of at most JSON_SIZE_LIMIT bytes that can be given back equal. */
export const jsonObject = z.custom<JsonObject>().superRefine((value, context) => {
  if (!isRecord(value)) {
    addIssue(context, "WRONG_TYPE", "Must be a JSON object.");
    return;
  }
  const issues = jsonIssues(value);
  for (const { code, message, path } of issues) addIssue(context, code, message, path);
  if (issues.length === 0 && jsonSize(value) > JSON_SIZE_LIMIT) {
    addIssue(context, "TOO_LARGE", `Must have at most ${JSON_SIZE_LIMIT / 1024} KiB as JSON text.`);
  }
});

/**
 * A list of `min` to `max` items. Items beyond `max` are not looked at, so that a small request never makes
 * an endless list of issues. Where repeats count once, ten times as many may be given.
 */
export function list<Item>(
  item: z.ZodType<Item>,
  { min = 0, max, repeats = "count" }: { min?: number; max: number; repeats?: "count" | "count once" },
): z.ZodType<Item[]> {
  return z.custom<Item[]>().superRefine((value, context) => {
    if (!Array.isArray(value)) {
      addIssue(context, "WRONG_TYPE", "Must be a list.");
      return;
    }
    if (value.length < min) addIssue(context, "TOO_FEW", `Must have at least ${min} item.`);
    const mostGiven = repeats === "count" ? max : 10 * max;
    const given = [...value.slice(0, mostGiven).entries()];
    const counted = repeats === "count" ? given : withoutRepeats(given);
    if (value.length > mostGiven || counted.length > max) {
      addIssue(context, "TOO_MANY", `Must have at most ${max} items.`);
    }
    for (const [index, each] of counted.slice(0, max)) addIssuesOf(context, item, each, [index]);
  });
}

function withoutRepeats(
  entries: readonly [index: number, item: unknown][],
): [index: number, item: unknown][] {
  const seen = new Set<unknown>();
  return entries.filter(([, item]) => seen.size < seen.add(item).size);
}

/** Whether a value has members: an object, and not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
