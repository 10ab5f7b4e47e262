/**
 * What a command asks, as one short text that is equal for inputs of equal meaning: a repeat under an idempotency key
 * is known by it. The input has been checked by its schema.
 */
import { createHash } from "node:crypto";
import { parseUlid } from "../identifiers.js";
import type { CreatePlanInput, InputOf } from "../inputs.js";
import { canonicalJson, isList } from "../json.js";
import type { PlanCommandName } from "../lifecycle.js";
import { parseAlias, parseName } from "../names.js";
import type { JsonObject, JsonValue } from "../plan.js";

/**
 * Null, and what a field is without a value, mean the same as left out in the input and in the objects that it is made
 * of, but not inside of JSON; ids, names, aliases, tags and sandbox refs are as they are stored; and the order of the
 * arguments counts, given or received.
 */
export function fingerprintOf(command: string, payload: object): string {
  const text = canonicalJson({ command, input: meaningOf(withOrder(payload as JsonObject)) });
  return createHash("sha256").update(text).digest("hex");
}

type JsonFieldOf<Input> = Input extends unknown
  ? { [Field in keyof Input]-?: JsonObject extends NonNullable<Input[Field]> ? Field : never }[keyof Input]
  : never;

/** The fields that hold JSON, in which every null counts. */
const JSON_FIELDS: Readonly<Record<JsonFieldOf<CreatePlanInput | InputOf[PlanCommandName]>, true>> = {
  arguments: true,
  effectiveProfileSnapshot: true,
  validationSummary: true,
  estimate: true,
  details: true,
};

/** How the texts of a field are stored. */
const STORED: ReadonlyMap<string, (text: string) => string | null> = new Map([
  ...["planId", "parentPlanId", "decisionRootId"].map((field) => [field, parseUlid] as const),
  ...["name", "actionName", "projectName", "automationProfileName"].map(
    (field) => [field, parseName] as const,
  ),
  ...["strategyActor", "executionActor", "estimationActor", "invariantActor"].map(
    (field) => [field, parseName] as const,
  ),
  ["alias", parseAlias],
]);

/** What fields are that are left out (see `creation.ts` and `changes.ts`), as JSON. */
const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ["description", '""'],
  ["arguments", "{}"],
  ["argumentsOrder", "[]"],
  ["automationLevel", '"MANUAL"'],
  ["tags", "[]"],
  ["sandboxRefs", "[]"],
  ["invariants", "[]"],
  ["scope", '"PLAN"'],
  ["nonOverridable", "false"],
  ["readOnly", "false"],
]);

/** The lists that are stored with each of their members once. */
const SETS: ReadonlySet<string> = new Set(["tags", "sandboxRefs"]);

function withOrder(input: JsonObject): JsonObject {
  const { arguments: args, argumentsOrder } = input;
  if (args == null || typeof args !== "object") return input;
  return { ...input, argumentsOrder: argumentsOrder ?? Object.keys(args) };
}

function meaningOf(input: JsonObject): JsonObject {
  const given = Object.entries(input).filter(([field, value]) => value != null && !isDefault(field, value));
  return Object.fromEntries(given.map(([field, value]) => [field, meaningOfField(field, value)]));
}

function isDefault(field: string, value: JsonValue): boolean {
  return DEFAULTS.has(field) && JSON.stringify(value) === DEFAULTS.get(field);
}

function meaningOfField(field: string, value: JsonValue): JsonValue {
  if (Object.hasOwn(JSON_FIELDS, field)) return value;
  if (typeof value === "string") return STORED.get(field)?.(value) ?? value;
  if (value === null || typeof value !== "object") return value;
  if (SETS.has(field) && isList(value)) return [...new Set(value)];
  return isList(value) ? value.map((item) => meaningOfField(field, item)) : meaningOf(value);
}
