/**
 * What the arguments of queries and feeds must be: filters, orders and pages. As with the commands, the schemas
 * change nothing;
 * `readPlanFilter` and `readPlanEventFilter` bring what passed into the form that is stored.
 */
import { z } from "zod";
import { PLAN_EVENT_TYPES } from "./event.js";
import { parseUlid } from "./identifiers.js";
import {
  ALSO_IF_FIELDS_FAIL,
  addIssue,
  addIssuesOf,
  isRecord,
  list,
  name,
  readBy,
  text,
  ulid,
} from "./input-fields.js";
import { parseInstant } from "./instants.js";
import { NAME_LENGTH_LIMIT, parseName } from "./names.js";
import { AUTOMATION_LEVELS, PLAN_PHASES, PLAN_STATES } from "./plan.js";
import { PLAN_ORDER_FIELDS, type PlanEventFilter, type PlanFilter } from "./reading.js";
import { TAG_LENGTH_LIMIT } from "./text.js";

export const PAGE_SIZE_LIMIT = 100;
/** The longest text, in code points, that may be a cursor. */
export const CURSOR_LENGTH_LIMIT = 1_024;

/** How many values one condition names at most. */
const FILTER_VALUES_LIMIT = 100;

/** How many filters a filter is made of at most, itself counted; so it also bounds how deep they nest. */
export const FILTERS_LIMIT = 50;

/** A list of values of which one must be met. */
export const values = <Value>(value: z.ZodType<Value>) => list(value, { max: FILTER_VALUES_LIMIT }).nullish();
const tags = values(text(TAG_LENGTH_LIMIT));
const instant = readBy(parseInstant, "Must be a date and time such as 2026-01-31T12:00:00.000Z.").nullish();

const oneFilter: z.ZodType<PlanFilter> = z.object({
  ids: values(ulid),
  rootPlanId: ulid.nullish(),
  parentPlanId: ulid.nullish(),
  hasParent: z.boolean().nullish(),
  phases: values(z.enum(PLAN_PHASES)),
  states: values(z.enum(PLAN_STATES)),
  actionNames: values(name),
  projectNames: values(name),
  actors: values(name),
  automationLevels: values(z.enum(AUTOMATION_LEVELS)),
  tags: z.object({ any: tags, all: tags }).nullish(),
  nameContains: text(NAME_LENGTH_LIMIT).nullish(),
  createdAfter: instant,
  createdBefore: instant,
  updatedAfter: instant,
  updatedBefore: instant,
  includeArchived: z.boolean().nullish(),
  get and() {
    return z.array(oneFilter).nullish();
  },
  get or() {
    return z.array(oneFilter).nullish();
  },
  get not() {
    return oneFilter.nullish();
  },
});

/** A filter of plans. Its size is checked first, so that no nesting overflows the stack. */
export const planFilterSchema = z.custom<PlanFilter>().superRefine((filter, context) => {
  if (hasTooManyFilters(filter)) {
    addIssue(context, "TOO_MANY", `Must be made of at most ${FILTERS_LIMIT} filters.`);
  } else {
    addIssuesOf(context, oneFilter, filter);
  }
});

export const planEventFilterSchema: z.ZodType<PlanEventFilter> = z.object({
  planIds: values(ulid),
  rootPlanId: ulid.nullish(),
  actionNames: values(name),
  projectNames: values(name),
  phases: values(z.enum(PLAN_PHASES)),
  states: values(z.enum(PLAN_STATES)),
  types: values(z.enum(PLAN_EVENT_TYPES)),
  tags,
});

/** Each field orders at most once; the id decides what remains. */
export const planOrderSchema = list(
  z.object({ field: z.enum(PLAN_ORDER_FIELDS), direction: z.enum(["ASC", "DESC"]) }),
  { max: PLAN_ORDER_FIELDS.length },
).superRefine((order, context) => {
  if (!Array.isArray(order)) return;
  const fields = order.map((each: unknown) => (isRecord(each) ? each.field : undefined));
  for (const [index, field] of fields.entries()) {
    const first = fields.indexOf(field);
    if (first < index) {
      addIssue(context, "DUPLICATE", `orderBy[${first}] and orderBy[${index}] are the same field.`, [index]);
    }
  }
});

/** How many a page holds at most. */
export const pageSize = z
  .int("Must be a whole number.")
  .min(0, "Must be at least 0.")
  .max(PAGE_SIZE_LIMIT, `Must be at most ${PAGE_SIZE_LIMIT}.`)
  .nullish();
const cursor = text(CURSOR_LENGTH_LIMIT).nullish();

/** Where a feed begins: any text, since a feed answers a text that is no cursor by its reset. */
export const resumeCursorSchema = z.string("Must be a text.");

/**
 * One direction at a time: `first` and `after` go forwards, `last` and `before` backwards; a cursor alone pages
 * its way with the default size. What is in a cursor is for its reader to check. The filter and the order beside
 * them pass as they are.
 */
export const pageSchema = z
  .looseObject({ first: pageSize, after: cursor, last: pageSize, before: cursor })
  .superRefine((page, context) => {
    for (const forwards of ["first", "after"] as const) {
      for (const backwards of ["last", "before"] as const) {
        if (page[forwards] != null && page[backwards] != null) {
          addIssue(context, "NOT_ALLOWED", `Must not be given with ${forwards}.`, [backwards]);
        }
      }
    }
  }, ALSO_IF_FIELDS_FAIL);

/** What a list of plans takes besides; a list of events has neither. */
const planListSchema = z.looseObject({
  filter: planFilterSchema.nullish(),
  orderBy: planOrderSchema.nullish(),
});

export type PageInput = z.infer<typeof pageSchema>;

/** How many filters a filter that passed its schema is made of, itself counted. */
export function countFilters(filter: PlanFilter): number {
  const parts = [...(filter.and ?? []), ...(filter.or ?? []), ...(filter.not == null ? [] : [filter.not])];
  return parts.reduce((count, part) => count + countFilters(part), 1);
}

/** All faults of a connection's arguments. */
export function issuesOfPageArgs(args: object): z.ZodError | null {
  const faults = [pageSchema, planListSchema].flatMap((schema) => schema.safeParse(args).error?.issues ?? []);
  return faults.length === 0 ? null : new z.ZodError(faults);
}

/** A filter that passed its schema, with ids, names and times as they are stored. */
export function readPlanFilter(filter: PlanFilter): PlanFilter {
  return {
    ...filter,
    ids: each(filter.ids, parseUlid),
    rootPlanId: read(filter.rootPlanId, parseUlid),
    parentPlanId: read(filter.parentPlanId, parseUlid),
    actionNames: each(filter.actionNames, parseName),
    projectNames: each(filter.projectNames, parseName),
    actors: each(filter.actors, parseName),
    createdAfter: read(filter.createdAfter, parseInstant),
    createdBefore: read(filter.createdBefore, parseInstant),
    updatedAfter: read(filter.updatedAfter, parseInstant),
    updatedBefore: read(filter.updatedBefore, parseInstant),
    and: filter.and?.map(readPlanFilter),
    or: filter.or?.map(readPlanFilter),
    not: filter.not == null ? null : readPlanFilter(filter.not),
  };
}

/** A filter that passed its schema, with ids and names as they are stored. */
export function readPlanEventFilter(filter: PlanEventFilter): PlanEventFilter {
  return {
    ...filter,
    planIds: each(filter.planIds, parseUlid),
    rootPlanId: read(filter.rootPlanId, parseUlid),
    actionNames: each(filter.actionNames, parseName),
    projectNames: each(filter.projectNames, parseName),
  };
}

type Parser = (text: string) => string | null;

function each(texts: readonly string[] | null | undefined, parse: Parser): string[] | null {
  return texts?.map((text) => read(text, parse) ?? text) ?? null;
}

function read(text: string | null | undefined, parse: Parser): string | null {
  return text == null ? null : parse(text);
}

/** Looks at no more filters than the limit allows, whatever the size of the value. */
function hasTooManyFilters(filter: unknown): boolean {
  const found: unknown[] = [filter];
  for (const one of found) {
    if (found.length > FILTERS_LIMIT) return true;
    if (!isRecord(one)) continue;
    for (const parts of [one.and, one.or]) {
      if (Array.isArray(parts)) found.push(...parts.slice(0, FILTERS_LIMIT));
    }
    if (one.not != null) found.push(one.not);
  }
  return false;
}
