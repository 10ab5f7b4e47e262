/**
 * What a selection asks of a plan beyond its aggregate, found by looking ahead, so that the store can answer the
 * whole selection with one statement. Arguments that break a rule are passed over here: their own field, which
 * checks them, says so.
 */
import { GraphQLError, type GraphQLResolveInfo } from "graphql";
import type { Context } from "../../graphql/context.js";
import { type Selection, selectionOf } from "../../graphql/selection.js";
import { canonicalJson } from "../json.js";
import type { JsonValue } from "../plan.js";
import { pageSchema, planFilterSchema, planOrderSchema } from "../query-inputs.js";
import type { NestedRead, PlanShape } from "../reading.js";
import { eventPageRequest, type PlanPageArgs, planPageRequest } from "./page-request.js";

/**
 * How many parents, roots, children and events one field is asked for at most, at all levels together. Fragments
 * multiply them faster than the document grows, and the database takes no more than a hundred members of a list.
 */
export const NESTED_FIELDS_LIMIT = 100;

/** The shape of the plan that the field answers with; an error QUERY_TOO_COSTLY where it nests too many of them. */
export function shapeOfPlan(info: GraphQLResolveInfo, context: Context): PlanShape {
  return planShape([selectionOf(info)], { context, fields: 0 });
}

/** The shape of the plans in the connection that the field answers with, and whether its total is asked for. */
export function shapeOfPage(
  info: GraphQLResolveInfo,
  context: Context,
): { shape: PlanShape; withTotal: boolean } {
  return connectionShape([selectionOf(info)], { context, fields: 0 });
}

/** Whether the connection that the field answers with is asked for its total. */
export function wantsTotal(info: GraphQLResolveInfo): boolean {
  return fieldsNamed([selectionOf(info)], "totalCount").length > 0;
}

/** The key under which a nested read is asked and answered: the same arguments are one read. */
export function nestedKey(field: string, args: object): string {
  const given = Object.entries(args).filter(([, value]) => value != null);
  return `${field} ${canonicalJson(Object.fromEntries(given) as Record<string, JsonValue>)}`;
}

/** One look at a whole selection. */
interface Look {
  readonly context: Context;
  /** How many nested fields it has come upon. */
  fields: number;
}

function planShape(plans: readonly Selection[], look: Look): PlanShape {
  const shape = new Map<string, NestedRead>();
  for (const field of ["parent", "root"] as const) {
    const selected = fieldsNamed(plans, field);
    if (selected.length === 0) continue;
    count(selected, look);
    shape.set(nestedKey(field, {}), { kind: field, shape: planShape(selected, look) });
  }
  for (const { args, selected } of byArguments(fieldsNamed(plans, "children"), planPageArgs)) {
    count(selected, look);
    const { shape: childShape, withTotal } = connectionShape(selected, look);
    const request = unlessRefused(() => planPageRequest(args, childShape, withTotal));
    if (request !== null) shape.set(nestedKey("children", args), { kind: "children", request });
  }
  for (const { args, selected } of byArguments(fieldsNamed(plans, "events"), eventPageArgs)) {
    count(selected, look);
    const withTotal = fieldsNamed(selected, "totalCount").length > 0;
    const request = unlessRefused(() => eventPageRequest(args, look.context.feeds.readCursor, withTotal));
    if (request !== null) shape.set(nestedKey("events", args), { kind: "events", request });
  }
  return shape;
}

function connectionShape(connections: readonly Selection[], look: Look) {
  const nodes = fieldsNamed(fieldsNamed(connections, "edges"), "node");
  return { shape: planShape(nodes, look), withTotal: fieldsNamed(connections, "totalCount").length > 0 };
}

function count(selected: readonly Selection[], look: Look): void {
  look.fields += selected.length;
  if (look.fields <= NESTED_FIELDS_LIMIT) return;
  const message = `The selection nests more than ${NESTED_FIELDS_LIMIT} parents, roots, children and events.`;
  throw new GraphQLError(message, { extensions: { code: "QUERY_TOO_COSTLY" } });
}

/** What the field itself will refuse, with its path, is no read. */
function unlessRefused<Request>(request: () => Request): Request | null {
  try {
    return request();
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}

function planPageArgs(args: PlanPageArgs): PlanPageArgs | null {
  const sound =
    pageSchema.safeParse(args).success &&
    (args.filter == null || planFilterSchema.safeParse(args.filter).success) &&
    (args.orderBy == null || planOrderSchema.safeParse(args.orderBy).success);
  return sound ? args : null;
}

function eventPageArgs(args: object) {
  return pageSchema.safeParse(args).data ?? null;
}

/** The selections of a field in each of the selections. */
function fieldsNamed(selections: readonly Selection[], name: string): Selection[] {
  return selections.flatMap((selection) => selection.below()).filter((field) => field.name === name);
}

/** Selections with the same arguments together, without those whose arguments are not sound. */
function byArguments<Args extends object>(
  selections: readonly Selection[],
  sound: (args: Readonly<Record<string, unknown>>) => Args | null,
): { readonly args: Args; readonly selected: readonly Selection[] }[] {
  const groups = new Map<string, { args: Args; selected: Selection[] }>();
  for (const selection of selections) {
    const args = unlessRefused(() => sound(selection.args()));
    if (args === null) continue;
    const key = nestedKey(selection.name, args);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { args, selected: [selection] });
    else group.selected.push(selection);
  }
  return [...groups.values()];
}
