/**
 * One statement for one question, however deep it nests: parents, roots, pages of children and of events are
 * subqueries of the page that they hang on. All of an answer is therefore of one moment. Of each plan it says the id
 * and the version; the plans themselves are in memory or come with one more statement (aggregates.ts), or with this
 * one where they are asked for inline.
 */
import type { Sql } from "../../database/database.js";
import { Prisma } from "../../database/generated/client.js";
import type { PlanEvent } from "../event.js";
import type { Plan } from "../plan.js";
import { writePlanCursor } from "../plan-cursor.js";
import type {
  EventPage,
  EventPageRequest,
  ListFacts,
  NestedRead,
  Page,
  PlanNode,
  PlanPage,
  PlanPageRequest,
  PlanShape,
  Window,
} from "../reading.js";
import { planCondition } from "./filter.js";
import { firstPlans } from "./first-plans.js";
import { all, eventJson, raw, sql } from "./fragments.js";
import { keptCounts } from "./kept-counts.js";
import { beyond, cursorOf, notBeyond, type WithinValue } from "./order.js";
import type { PlanVersion } from "./plan-version.js";
import { type AggregateRows, eventFromRow, type Row } from "./rows.js";

/** A node as the database builds it: the plan, or which plan it is; and the answers to its nested reads. */
export type NodeJson = readonly [body: AggregateRows | PlanVersion, nested: NestedJson];

/** What a statement says of each plan: which one and which version it is, or all of it. */
export type BodyJson = (plan: Sql) => Sql;

/** Finds the plan that a node is of. */
export type PlanOf = (body: AggregateRows | PlanVersion) => Plan;

/** The answers to the nested reads of a shape, in its order. */
export type NestedJson = readonly (NodeJson | PageJson<NodeJson> | EventPageJson | null)[];

/** A page as the database builds it: one row more than asked for where there is one, in reading order. */
export interface PageJson<Item> {
  /** The last one, of which it only matters that it is there, is null. Null as a whole where no page was asked for. */
  readonly rows: readonly (Item | null)[] | null;
  readonly total: number | null;
  /** Whether there are rows on the other side of the cursor; null where it was not asked for. */
  readonly behind: boolean | null;
}

export interface EventPageJson {
  readonly page: PageJson<Row>;
  readonly prunedTo: string;
}

/** The page of plans that meet `scope`, a condition on the row named by `level`; null where all plans do. */
export function planPageJson(
  request: PlanPageRequest,
  scope: ((plan: Sql) => Sql) | null,
  body: BodyJson,
  level = 0,
): Sql {
  const { filter, orderBy, window, shape } = request;
  const { cursor, backward } = window;
  const plan = raw(`p${level}`);
  const matching = all([...(scope === null ? [] : [scope(plan)]), planCondition(plan, filter)]);
  const kept = scope === null ? keptCounts(filter) : null;
  return pageJson(request, {
    total:
      kept === null
        ? sql`SELECT count(*)::int FROM plan ${plan} WHERE ${matching}`
        : sql`SELECT coalesce(sum(c.count), 0)::int FROM plan_count c WHERE ${kept}`,
    item: () => nodeJson(plan, shape, body, level),
    rows: (limit) => {
      const place =
        cursor === null
          ? null
          : (row: Sql, within: WithinValue | null) => beyond(row, orderBy, cursor, backward, within);
      return sql`(${firstPlans(plan, { filter, orderBy, backward, scope, place, limit })}) ${plan}`;
    },
    behind: (cursor) => {
      const place = (row: Sql, within: WithinValue | null) =>
        notBeyond(row, orderBy, cursor, backward, within);
      return firstPlans(plan, { filter, orderBy, backward: !backward, scope, place, limit: wholeNumber(1) });
    },
  });
}

/** The page of events that meet `condition` on the row `e`. */
export function eventPageJson(request: EventPageRequest, condition: (event: Sql) => Sql): Sql {
  const { window } = request;
  const event = raw("e");
  const [compare, opposite] = window.backward ? [raw("<"), raw(">=")] : [raw(">"), raw("<=")];
  const matching = condition(event);
  const page = pageJson(request, {
    total: sql`SELECT count(*)::int FROM plan_event ${event} WHERE ${matching}`,
    item: () => eventJson(event),
    rows: (limit) => sql`(SELECT * FROM plan_event ${event}
      WHERE ${matching} ${window.cursor === null ? Prisma.empty : sql`AND ${event}.seq ${compare} ${String(window.cursor)}::bigint`}
      ORDER BY ${event}.seq ${raw(window.backward ? "DESC" : "ASC")} LIMIT ${limit}) ${event}`,
    behind: (cursor) => sql`SELECT FROM plan_event ${event} WHERE ${matching}
      AND ${event}.seq ${opposite} ${String(cursor)}::bigint LIMIT 1`,
  });
  return sql`json_build_object('page', ${page}, 'prunedTo', (SELECT pruned_to::text FROM event_log))`;
}

/** The plan in the row `plan` with all that its shape asks for. */
export function nodeJson(plan: Sql, shape: PlanShape, body: BodyJson, level = 0): Sql {
  return sql`json_build_array(${body(plan)}, ${nestedJson(plan, shape, body, level)})`;
}

/** What the shape asks around the plan whose ids stand in the row `plan`. */
export function nestedJson(plan: Sql, shape: PlanShape, body: BodyJson, level = 0): Sql {
  const reads = [...shape.values()].map((read) => readJson(plan, read, body, level + 1));
  return reads.length === 0 ? sql`'[]'::json` : sql`json_build_array(${Prisma.join(reads, ", ")})`;
}

export function readNode([body, nested]: NodeJson, shape: PlanShape, moment: Moment): PlanNode {
  return readAround(moment.planOf(body), nested, shape, moment);
}

/** A plan that is at hand, with what was read around it. */
export function readAround(plan: Plan, json: NestedJson, shape: PlanShape, moment: Moment): PlanNode {
  const nested = [...shape].map(
    ([key, read], index) => [key, readNested(plan, json[index] ?? null, read, moment)] as const,
  );
  return { plan, nested: new Map(nested) };
}

export function readPlanPage(json: PageJson<NodeJson>, request: PlanPageRequest, moment: Moment): PlanPage {
  return readPage(json, request.window, moment.asOf, (item) => {
    const node = readNode(item, request.shape, moment);
    return { cursor: writePlanCursor(request.orderBy, cursorOf(node.plan, request.orderBy)), node };
  });
}

export function readEventPage(json: EventPageJson, { window }: EventPageRequest, asOf: bigint): EventPage {
  const page = readPage(json.page, window, asOf, (row) => {
    const node: PlanEvent = eventFromRow(row);
    return { cursor: node.seq, node };
  });
  return { ...page, prunedTo: BigInt(json.prunedTo) };
}

/** The moment that a statement is of: the head of the log then, and the plans as they were. */
export interface Moment {
  readonly asOf: bigint;
  readonly planOf: PlanOf;
}

/** All plans that the answers name by id and version only. */
export function versionsIn(answers: NestedJson): PlanVersion[] {
  const found: PlanVersion[] = [];
  const nodes = answers.flatMap(nodesOf);
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const [body, nested] = node;
    if (typeof body === "string") found.push(body);
    nodes.push(...nested.flatMap(nodesOf));
  }
  return found;
}

function nodesOf(answer: NestedJson[number]): readonly NodeJson[] {
  if (answer === null || "page" in answer) return [];
  return "rows" in answer ? (answer.rows ?? []).filter((row) => row !== null) : [answer];
}

function readJson(plan: Sql, read: NestedRead, body: BodyJson, level: number): Sql {
  const related = raw(`p${level}`);
  switch (read.kind) {
    case "parent":
      return sql`(SELECT ${nodeJson(related, read.shape, body, level)} FROM plan ${related} WHERE ${related}.id = ${plan}.parent_plan_id)`;
    case "root":
      return sql`(SELECT ${nodeJson(related, read.shape, body, level)} FROM plan ${related} WHERE ${related}.id = ${plan}.root_plan_id)`;
    case "children":
      return planPageJson(read.request, (child) => sql`${child}.parent_plan_id = ${plan}.id`, body, level);
    case "events":
      return eventPageJson(read.request, (event) => sql`${event}.plan_id = ${plan}.id`);
    default:
      return read satisfies never;
  }
}

function readNested(owner: Plan, json: NestedJson[number], read: NestedRead, moment: Moment) {
  switch (read.kind) {
    case "parent":
      return json === null ? null : readNode(json as NodeJson, read.shape, moment);
    case "root":
      // The root of a tree is its own, also where it is not stored: after the dry run of its creation.
      return owner.rootPlanId === owner.id
        ? readAround(owner, (json as NodeJson | null)?.[1] ?? [], read.shape, moment)
        : readNode(json as NodeJson, read.shape, moment);
    case "children":
      return readPlanPage((json as PageJson<NodeJson> | null) ?? NO_ROWS, read.request, moment);
    case "events":
      return readEventPage((json as EventPageJson | null) ?? NO_EVENTS, read.request, moment.asOf);
    default:
      return read satisfies never;
  }
}

const NO_ROWS: PageJson<never> = { rows: [], total: 0, behind: false };
const NO_EVENTS: EventPageJson = { page: NO_ROWS, prunedTo: "0" };

/** One row more than asked for says whether there is more; nothing is built of it. */
function pageJson<Cursor>(
  { window, withPage, withTotal, withBehind }: ListFacts & { readonly window: Window<Cursor> },
  list: {
    readonly total: Sql;
    readonly item: () => Sql;
    readonly rows: (limit: Sql) => Sql;
    readonly behind: (cursor: Cursor) => Sql;
  },
): Sql {
  const { size, cursor } = window;
  const item =
    size === 0
      ? sql`NULL::json`
      : sql`CASE WHEN row_number() OVER () <= ${wholeNumber(size)} THEN ${list.item()} END`;
  const rows = sql`SELECT coalesce(json_agg(r.item), '[]'::json) FROM (SELECT ${item} AS item FROM ${list.rows(wholeNumber(size + 1))}) r`;
  // Not EXISTS, for which the planner forgets the order that leads it to an index.
  const behind =
    cursor === null ? sql`false` : sql`coalesce((SELECT true FROM (${list.behind(cursor)}) behind), false)`;
  return sql`json_build_object(
    'rows', ${withPage ? sql`(${rows})` : sql`NULL`},
    'total', ${withTotal ? sql`(${list.total})` : sql`NULL`},
    'behind', ${withBehind ? behind : sql`NULL`})`;
}

/** Written into the statement: with a parameter in its place, the database would plan anew for each value. */
function wholeNumber(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new Error(`The size of a page is no whole number: ${value}`);
  return raw(String(value));
}

function readPage<Item, Node, Cursor>(
  { rows, total, behind }: PageJson<Item>,
  { size, backward }: Window<unknown>,
  asOf: bigint,
  edge: (item: Item) => { readonly cursor: Cursor; readonly node: Node },
): Page<Node, Cursor> {
  if (rows === null) return { edges: [], hasNextPage: null, hasPreviousPage: null, totalCount: total, asOf };
  const more = rows.length > size;
  const edges = rows.slice(0, size).flatMap((item) => (item === null ? [] : [edge(item)]));
  return {
    edges: Object.freeze(backward ? edges.reverse() : edges),
    hasNextPage: backward ? behind : more,
    hasPreviousPage: backward ? more : behind,
    totalCount: total,
    asOf,
  };
}
