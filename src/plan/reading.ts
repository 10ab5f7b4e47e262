/**
 * What can be asked about plans: pages by filter and order, one plan, counts; and how a question nests.
 * A `PlanShape` says all that a query wants of a plan beyond its aggregate, so that the store answers the
 * whole of it as of one moment (see store/tree).
 */
import type { PlanEvent, PlanEventType } from "./event.js";
import type {
  AutomationLevel,
  Instant,
  NamespacedName,
  Plan,
  PlanPhase,
  PlanState,
  Position,
  Ulid,
} from "./plan.js";

/** Conditions that must all hold; one that is null or absent is not asked. */
export interface PlanFilter {
  readonly ids?: readonly Ulid[] | null;
  readonly rootPlanId?: Ulid | null;
  readonly parentPlanId?: Ulid | null;
  readonly hasParent?: boolean | null;
  readonly phases?: readonly PlanPhase[] | null;
  readonly states?: readonly PlanState[] | null;
  readonly actionNames?: readonly NamespacedName[] | null;
  readonly projectNames?: readonly NamespacedName[] | null;
  /** Any of the four actors of a plan. */
  readonly actors?: readonly NamespacedName[] | null;
  readonly automationLevels?: readonly AutomationLevel[] | null;
  readonly tags?: { readonly any?: readonly string[] | null; readonly all?: readonly string[] | null } | null;
  /** A part of the name, in any case. */
  readonly nameContains?: string | null;
  readonly createdAfter?: Instant | null;
  readonly createdBefore?: Instant | null;
  readonly updatedAfter?: Instant | null;
  readonly updatedBefore?: Instant | null;
  /** Archived plans are left out unless this is true. */
  readonly includeArchived?: boolean | null;
  readonly and?: readonly PlanFilter[] | null;
  readonly or?: readonly PlanFilter[] | null;
  readonly not?: PlanFilter | null;
}

export const PLAN_ORDER_FIELDS = ["CREATED_AT", "UPDATED_AT", "NAME", "PHASE", "STATE"] as const;
export type PlanOrderField = (typeof PLAN_ORDER_FIELDS)[number];

export interface PlanOrder {
  readonly field: PlanOrderField;
  readonly direction: "ASC" | "DESC";
}

export const NEWEST_FIRST: readonly PlanOrder[] = [{ field: "CREATED_AT", direction: "DESC" }];

/** Which part of an ordered list: the first `size` after a cursor, or (backward) the last before one. */
export interface Window<Cursor> {
  readonly size: number;
  readonly backward: boolean;
  readonly cursor: Cursor | null;
}

/** The place of a plan in an order: its sort values, then its id. */
export type PlanCursor = readonly string[];

/** What is asked about the list of which a page is a part; each costs the database a look of its own. */
export interface ListFacts {
  /** Whether there is a page at all, with what lies beside it; else only facts about the whole list are asked. */
  readonly withPage: boolean;
  readonly withTotal: boolean;
  /** Whether there are items on the other side of the cursor. */
  readonly withBehind: boolean;
}

export interface PlanPageRequest extends ListFacts {
  readonly filter: PlanFilter | null;
  readonly orderBy: readonly PlanOrder[];
  readonly window: Window<PlanCursor>;
  readonly shape: PlanShape;
}

/** Positions in the log: the events of a page have `seq` beyond the window's cursor. */
export interface EventPageRequest extends ListFacts {
  readonly window: Window<bigint>;
}

/** The nested reads of a plan, each under a key of the asker's choice. */
export type PlanShape = ReadonlyMap<string, NestedRead>;

export type NestedRead =
  | { readonly kind: "parent"; readonly shape: PlanShape }
  | { readonly kind: "root"; readonly shape: PlanShape }
  | { readonly kind: "children"; readonly request: PlanPageRequest }
  | { readonly kind: "events"; readonly request: EventPageRequest };

/** A plan with the answers to the nested reads of its shape. */
export interface PlanNode {
  readonly plan: Plan;
  readonly nested: ReadonlyMap<string, PlanNode | null | PlanPage | EventPage>;
}

export interface Page<Node, Cursor> {
  readonly edges: readonly { readonly cursor: Cursor; readonly node: Node }[];
  /** Null where it was not asked for, like the two below. */
  readonly hasNextPage: boolean | null;
  readonly hasPreviousPage: boolean | null;
  readonly totalCount: number | null;
  /** The head of the log as the statement saw it: everything up to it is in the page. */
  readonly asOf: bigint;
}

/** The cursors of plans in the form that clients get; see plan-cursor. */
export type PlanPage = Page<PlanNode, string>;
export interface EventPage extends Page<PlanEvent, bigint> {
  /** Of the events up to here only the last one of each plan is kept. */
  readonly prunedTo: bigint;
}

export interface PlanCounts {
  readonly byPosition: readonly (Position & { readonly count: number })[];
  readonly asOf: bigint;
}

/** Facts to filter events by; on what changes (phase, state, tags) either side of the event may match. */
export interface PlanEventFilter {
  readonly planIds?: readonly Ulid[] | null;
  /** A plan with all its descendants. */
  readonly rootPlanId?: Ulid | null;
  readonly actionNames?: readonly NamespacedName[] | null;
  readonly projectNames?: readonly NamespacedName[] | null;
  readonly phases?: readonly PlanPhase[] | null;
  readonly states?: readonly PlanState[] | null;
  readonly types?: readonly PlanEventType[] | null;
  /** Any of these. */
  readonly tags?: readonly string[] | null;
}

/** The reading side of the store. */
export interface PlanReads {
  plan(id: Ulid, shape: PlanShape): Promise<PlanNode | null>;
  /** A plan that the caller has, stored or not, with what the shape asks around it. */
  around(plan: Plan, shape: PlanShape): Promise<PlanNode>;
  page(request: PlanPageRequest): Promise<PlanPage>;
  counts(filter: PlanFilter | null): Promise<PlanCounts>;
}
