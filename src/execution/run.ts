/** What is known while one operation runs, and what becomes of the failures of its fields. */
import {
  type FieldNode,
  type GraphQLError,
  type GraphQLResolveInfo,
  locatedError,
  type ResponsePath,
  responsePathAsArray,
} from "graphql";
import type { SettledTexts } from "./settled.js";
import type { Later } from "./text.js";

type OperationInfo = Pick<
  GraphQLResolveInfo,
  "schema" | "fragments" | "rootValue" | "operation" | "variableValues"
>;

export type Arguments = { readonly [name: string]: unknown };

export interface Run extends OperationInfo {
  readonly context: unknown;
  /** The failures of fields that may be null, in the order in which they came up. */
  readonly errors: GraphQLError[];
  readonly texts: SettledTexts;
  /** The arguments of compiled fields, by their nodes; they are the same for every object. */
  readonly args: Map<readonly FieldNode[], Arguments>;
}

/**
 * Writes a value of the field that `info` is about as JSON text; in a list, `place` is its own. What it throws or
 * rejects with has failed the nearest field or item that may be null.
 */
export type WriteValue = (
  value: unknown,
  run: Run,
  place: ResponsePath,
  info: GraphQLResolveInfo,
) => Later<string>;

/**
 * Writes a value, or `null` in its place with the failure among the errors; where there may be no null, fails with
 * the error and its place, so that what stands around it fails too.
 */
export function guarded(
  write: () => Later<string>,
  nodes: readonly FieldNode[],
  mayBeNull: boolean,
  run: Run,
  place: ResponsePath,
): Later<string> {
  const fail = (error: unknown): string => {
    const located = locatedError(error, nodes, responsePathAsArray(place));
    if (!mayBeNull) throw located;
    run.errors.push(located);
    return "null";
  };
  try {
    const text = write();
    return typeof text === "string" ? text : text.catch(fail);
  } catch (error) {
    return fail(error);
  }
}

/** The text of a settled value under a selection: as it was written before, or as it is written now. */
export function remembered(
  value: object,
  selection: object,
  { texts, errors }: Run,
  write: () => Later<string>,
): Later<string> {
  const known = texts.get(value, selection);
  if (known !== undefined) return known;
  const failures = errors.length;
  const keep = (text: string): string => {
    if (errors.length === failures) texts.set(value, selection, text);
    return text;
  };
  const text = write();
  return typeof text === "string" ? keep(text) : text.then(keep);
}

export function isLater<Value>(value: Later<Value>): value is Promise<Value> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
