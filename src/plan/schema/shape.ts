/**
 * What a selection asks of a plan beyond its aggregate, found by looking ahead, so that the store can answer the
 * whole selection at once. Of a query, arguments that break a rule are passed over here: their own field, which
 * checks them, says so. Of a mutation everything is checked before its command runs.
 */
import { GraphQLError, type GraphQLResolveInfo } from "graphql";
import type { Context } from "../../graphql/context.js";
import { badUserInput } from "../../graphql/invalid-input.js";
import {
  KnownSelections,
  type Selection,
  selectionOf,
  selectionsOfOperation,
} from "../../graphql/selection.js";
import { toInputIssues } from "../input-issues.js";
import { canonicalJson } from "../json.js";
import type { JsonValue } from "../plan.js";
import { countFilters } from "../query-inputs.js";
import type { NestedRead, PlanFilter, PlanShape } from "../reading.js";
import {
  type AskedFacts,
  eventPageRequest,
  type PlanPageArgs,
  planPageRequest,
  soundPageArgs,
} from "./page-request.js";

/**
 * How many parents, roots, children and events one field is asked for at most, at all levels together. Fragments
 * multiply them faster than the document grows, and the database takes no more than a hundred members of a list.
 */
export const NESTED_FIELDS_LIMIT = 100;

/**
 * How many filters (see FILTERS_LIMIT) all lists of one field are made of at most, its own among them. One filter
 * may stand behind a variable that a hundred lists name, and becomes a part of the statement for each.
 */
export const NESTED_FILTERS_LIMIT = 200;

/** The shape of the plan that the field answers with; an error QUERY_TOO_COSTLY where it nests too much. */
export function shapeOfPlan(info: GraphQLResolveInfo, context: Context): PlanShape {
  return knownShapes.get(info, () => planShape([selectionOf(info)], newLook(context)));
}

/** The shape of the plans in the connection that the field answers with, and what is asked about their list. */
export function shapeOfPage(
  info: GraphQLResolveInfo,
  context: Context,
  { filter }: { readonly filter?: PlanFilter | null | undefined },
): { shape: PlanShape; asked: AskedFacts } {
  const { filters, ...found } = knownPages.get(info, () => {
    const look = newLook(context);
    const { shape, asked } = connectionShape([selectionOf(info)], look);
    return { shape, asked, filters: look.filters };
  });
  countFilter(filter, { ...newLook(context), filters });
  return found;
}

const knownShapes = new KnownSelections<PlanShape>();
const knownPages = new KnownSelections<{ shape: PlanShape; asked: AskedFacts; filters: number }>();

/** What the connection that the field answers with is asked about its list. */
export function askedFacts(info: GraphQLResolveInfo): AskedFacts {
  return factsOf([selectionOf(info)]);
}

/**
 * Throws what reading the plans in the answers of a mutation would be refused with, of all mutations that its
 * operation names: whoever is refused an answer must be able to trust that nothing was changed.
 */
export function refuseUnanswerable(info: GraphQLResolveInfo, context: Context): void {
  // The variables as they were read are made once for each operation that runs.
  if (answerable.has(info.variableValues)) return;
  for (const mutation of selectionsOfOperation(info)) {
    for (const answer of mutation.alternatives()) {
      for (const plan of answer.filter(({ name }) => name === "plan")) {
        planShape([plan], { ...newLook(context), refusing: true });
      }
    }
  }
  answerable.add(info.variableValues);
}

/** Operations that were looked through: each of their mutations asks. */
const answerable = new WeakSet<object>();

/** The key under which a nested read is asked and answered: the same arguments are one read. */
export function nestedKey(field: string, args: object): string {
  const given = Object.entries(args).filter(([, value]) => value != null);
  return `${field} ${canonicalJson(Object.fromEntries(given) as Record<string, JsonValue>)}`;
}

/** Equal for shapes that ask the same. */
export function shapeKey(shape: PlanShape): string {
  return JSON.stringify(shape, (_key, value: unknown) => {
    if (value instanceof Map) return [...value];
    return typeof value === "bigint" ? `${value}` : value;
  });
}

/** One look at a whole selection. */
interface Look {
  readonly context: Context;
  /** Whether arguments that break a rule are refused here. */
  readonly refusing: boolean;
  /** How many nested fields, and how many filters, it has come upon. */
  fields: number;
  filters: number;
}

function newLook(context: Context): Look {
  return { context, refusing: false, fields: 0, filters: 0 };
}

function planShape(plans: readonly Selection[], look: Look): PlanShape {
  const shape = new Map<string, NestedRead>();
  if (look.refusing) refuseArguments(plans);
  for (const field of ["parent", "root"] as const) {
    const selected = fieldsNamed(plans, field);
    if (selected.length === 0) continue;
    countFields(selected, look);
    shape.set(nestedKey(field, {}), { kind: field, shape: planShape(selected, look) });
  }
  for (const { args, selected } of byArguments(fieldsNamed(plans, "children"), look)) {
    countFields(selected, look);
    countFilter(args.filter, look);
    const { shape: childShape, asked } = connectionShape(selected, look);
    const request = unlessRefused(look, () => planPageRequest(args, childShape, asked));
    if (request !== null) shape.set(nestedKey("children", args), { kind: "children", request });
  }
  for (const { args, selected } of byArguments(fieldsNamed(plans, "events"), look)) {
    countFields(selected, look);
    const { readCursor } = look.context.feeds;
    const request = unlessRefused(look, () => eventPageRequest(args, readCursor, factsOf(selected)));
    if (request !== null) shape.set(nestedKey("events", args), { kind: "events", request });
  }
  return shape;
}

/** Of the fields of plans and of the fields right below, where lists stand that are read by other rooms. */
function refuseArguments(plans: readonly Selection[]): void {
  const fields = plans.flatMap((plan) => plan.below());
  for (const field of [...fields, ...fields.flatMap((each) => each.below())]) {
    const args = field.args();
    const faults = field.argsSchema?.safeParse(args).error;
    if (faults !== undefined) throw badUserInput(toInputIssues(faults));
  }
}

function connectionShape(connections: readonly Selection[], look: Look) {
  const nodes = fieldsNamed(fieldsNamed(connections, "edges"), "node");
  return { shape: planShape(nodes, look), asked: factsOf(connections) };
}

function factsOf(connections: readonly Selection[]): AskedFacts {
  const pageInfos = fieldsNamed(connections, "pageInfo");
  return {
    page: pageInfos.length > 0 || fieldsNamed(connections, "edges").length > 0,
    totalCount: fieldsNamed(connections, "totalCount").length > 0,
    hasNextPage: fieldsNamed(pageInfos, "hasNextPage").length > 0,
    hasPreviousPage: fieldsNamed(pageInfos, "hasPreviousPage").length > 0,
  };
}

function countFields(selected: readonly Selection[], look: Look): void {
  look.fields += selected.length;
  if (look.fields <= NESTED_FIELDS_LIMIT) return;
  throw tooCostly(`nests more than ${NESTED_FIELDS_LIMIT} parents, roots, children and events`);
}

function countFilter(filter: PlanFilter | null | undefined, look: Look): void {
  look.filters += filter == null ? 0 : countFilters(filter);
  if (look.filters <= NESTED_FILTERS_LIMIT) return;
  throw tooCostly(`filters its lists by more than ${NESTED_FILTERS_LIMIT} filters together`);
}

function tooCostly(what: string): GraphQLError {
  return new GraphQLError(`The selection ${what}.`, { extensions: { code: "QUERY_TOO_COSTLY" } });
}

/** What the field itself will refuse, with its path, is no read. */
function unlessRefused<Result>(look: Look, result: () => Result): Result | null {
  try {
    return result();
  } catch (error) {
    if (look.refusing || !(error instanceof GraphQLError)) throw error;
    return null;
  }
}

/** The selections of a field in each of the selections. */
function fieldsNamed(selections: readonly Selection[], name: string): Selection[] {
  return selections.flatMap((selection) => selection.below()).filter((field) => field.name === name);
}

/** Selections of a list with the same arguments together, without those whose arguments are not sound. */
function byArguments(
  selections: readonly Selection[],
  look: Look,
): { readonly args: PlanPageArgs; readonly selected: readonly Selection[] }[] {
  const groups = new Map<string, { args: PlanPageArgs; selected: Selection[] }>();
  for (const selection of selections) {
    const args = unlessRefused(look, () => soundPageArgs<PlanPageArgs>(selection.args()));
    if (args === null) continue;
    const key = nestedKey(selection.name, args);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { args, selected: [selection] });
    else group.selected.push(selection);
  }
  return [...groups.values()];
}
