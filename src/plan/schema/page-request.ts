/** The arguments of connections, and the pages that they ask the store for. */
import { builder } from "../../graphql/builder.js";
import { badUserInput } from "../../graphql/invalid-input.js";
import { toInputIssues } from "../input-issues.js";
import { readPlanCursor } from "../plan-cursor.js";
import { issuesOfPageArgs, type PageInput, pageSchema, readPlanFilter } from "../query-inputs.js";
import {
  type EventPageRequest,
  type ListFacts,
  NEWEST_FIRST,
  type PlanFilter,
  type PlanOrder,
  type PlanPageRequest,
  type PlanShape,
  type Window,
} from "../reading.js";
import { PlanFilterInput, PlanOrderInput } from "./filter.js";

export const DEFAULT_PAGE_SIZE = 20;

/** Which facts about the list a selection asks for. */
export interface AskedFacts {
  /** Items, or where their page begins and ends. */
  readonly page: boolean;
  readonly totalCount: boolean;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** For the check of arguments alone. */
export const NO_FACTS: AskedFacts = {
  page: false,
  totalCount: false,
  hasNextPage: false,
  hasPreviousPage: false,
};

type Nullable<Input> = { readonly [Name in keyof Input]?: Input[Name] | null | undefined };

/** The arguments of a connection of plans. */
export interface PlanPageArgs extends Nullable<PageInput> {
  readonly filter?: PlanFilter | null;
  readonly orderBy?: readonly PlanOrder[] | null;
}

/** The rule across the arguments of a connection, for its field. */
export const pageValidation = { schema: pageSchema };

export function planPageArgs() {
  return builder.args((t) => ({
    filter: t.field({
      type: PlanFilterInput,
      description: "Which plans; without it all that are not archived.",
    }),
    orderBy: t.field({
      type: [PlanOrderInput],
      description: "The order; the newest first without it.",
    }),
    ...windowSizeArgs(),
    after: t.string({ description: "The cursor that the page begins after." }),
    before: t.string({ description: "The cursor that the page ends before." }),
  }));
}

export function eventPageArgs() {
  return builder.args((t) => ({
    ...windowSizeArgs(),
    after: t.field({ type: "EventCursor", description: "The cursor that the page begins after." }),
    before: t.field({ type: "EventCursor", description: "The cursor that the page ends before." }),
  }));
}

/** The arguments of a connection, if they keep the rules; else an error BAD_USER_INPUT with all faults. */
export function soundPageArgs<Args extends object>(args: Args): Args {
  const faults = issuesOfPageArgs(args);
  if (faults !== null) throw badUserInput(toInputIssues(faults));
  return args;
}

/** What sound arguments ask for; a cursor that is none of this order is an error BAD_USER_INPUT. */
export function planPageRequest(args: PlanPageArgs, shape: PlanShape, asked: AskedFacts): PlanPageRequest {
  const orderBy = args.orderBy == null || args.orderBy.length === 0 ? NEWEST_FIRST : args.orderBy;
  const filter = args.filter == null ? null : readPlanFilter(args.filter);
  const window = windowOf(args, (text) => readPlanCursor(orderBy, text));
  return { filter, orderBy, window, ...listFacts(window, asked), shape };
}

export function eventPageRequest(
  args: Nullable<PageInput>,
  readCursor: (text: string) => bigint | null,
  asked: AskedFacts,
): EventPageRequest {
  const window = windowOf(args, readCursor);
  return { window, ...listFacts(window, asked) };
}

/** What lies ahead of a page is known from reading it. */
function listFacts({ backward }: Window<unknown>, asked: AskedFacts): ListFacts {
  return {
    withPage: asked.page,
    withTotal: asked.totalCount,
    withBehind: backward ? asked.hasNextPage : asked.hasPreviousPage,
  };
}

function windowSizeArgs() {
  return builder.args((t) => ({
    first: t.int({ description: "How many of the first items: at most 100, by default 20." }),
    last: t.int({ description: "How many of the last items instead: at most 100." }),
  }));
}

function windowOf<Cursor>(args: Nullable<PageInput>, read: (text: string) => Cursor | null): Window<Cursor> {
  const backward = args.last != null || args.before != null;
  const size = (backward ? args.last : args.first) ?? DEFAULT_PAGE_SIZE;
  const path = backward ? "before" : "after";
  const text = args[path];
  if (text == null) return { size, backward, cursor: null };
  const cursor = read(text);
  if (cursor === null) {
    const message = "Must be a cursor of this list in this order, as an answer of this server had it.";
    throw badUserInput([{ path, code: "MALFORMED", message }]);
  }
  return { size, backward, cursor };
}
