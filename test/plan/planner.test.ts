import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectDatabase } from "../../src/database/connect.js";
import type { Database, Statement } from "../../src/database/database.js";
import {
  NEWEST_FIRST,
  PLAN_ORDER_FIELDS,
  type PlanCursor,
  type PlanFilter,
  type PlanOrder,
  type PlanOrderField,
  type Window,
} from "../../src/plan/reading.js";
import { planStore } from "../../src/plan/store/store.js";
import { createServerDatabase, type DatabasePlace } from "../support/databases.js";

/** Enough that the planner takes an index wherever one serves. */
const PLANS = 20_000;
const PAGE = 20;
/** More than any page of 20 needs to look at, and far less than there is of anything frequent. */
const FEW_ROWS = 200;

const id = (number: number) => `01K${String(number).padStart(23, "0")}`;
const at = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();

/**
 * Every second plan is archived, and all the latest are. The oldest are rare in everything: whoever walks from the
 * newest comes upon them last. And they changed last.
 */
const FILL = [
  "ALTER TABLE plan DISABLE TRIGGER USER",
  "ALTER TABLE project_link DISABLE TRIGGER USER",
  `INSERT INTO plan (id, name, action_name, description, phase, state, automation_level, arguments_json, tags,
      strategy_actor, invariant_actor, parent_plan_id, root_plan_id, depth, version, created_at, updated_at, archived_at)
    SELECT '01K' || lpad(n::text, 23, '0'), 'local/' || CASE WHEN rare THEN 'needle-' ELSE 'plan-' END || md5(n::text),
      CASE WHEN rare THEN 'local/rare' ELSE 'local/action-' || n % 5 END, repeat('words ', 40),
      CASE WHEN rare THEN 'APPLIED' WHEN n % 3 = 0 THEN 'EXECUTE' ELSE 'STRATEGIZE' END::plan_phase,
      CASE WHEN rare THEN 'ERRORED' WHEN n % 4 = 0 THEN 'COMPLETE' ELSE 'QUEUED' END::plan_state,
      CASE WHEN rare THEN 'FULL_AUTOMATION' WHEN n % 3 = 0 THEN 'REVIEW_BEFORE_APPLY' ELSE 'MANUAL' END::automation_level,
      '{}', CASE WHEN rare THEN '{rare}'::text[] ELSE ARRAY['even-' || n % 2, 'third-' || n % 3] END,
      CASE WHEN rare THEN 'local/rare' ELSE 'local/actor-' || n % 4 END, 'local/actor-' || n % 3,
      CASE WHEN n BETWEEN 2 AND 400 THEN '${id(1)}' END, CASE WHEN n <= 400 THEN '${id(1)}' ELSE '01K' || lpad(n::text, 23, '0') END,
      CASE WHEN n BETWEEN 2 AND 400 THEN 1 ELSE 0 END, 1, created,
      CASE WHEN rare THEN created + interval '1 year' ELSE created + interval '1 second' END,
      CASE WHEN n > ${PLANS - 4_000} OR NOT rare AND n % 2 = 0 THEN created + interval '2 seconds' END
    FROM (SELECT n, n BETWEEN 101 AND 160 AS rare, timestamptz '${at(0)}' + n * interval '1 second' AS created
      FROM generate_series(1, ${PLANS}) n) numbers`,
  `INSERT INTO project_link (plan_id, position, project_name, read_only)
    SELECT id, k, CASE WHEN tags = '{rare}' THEN 'local/rare' ELSE 'local/project-' || (substr(id, 20)::int + k) % 4 END, false
    FROM plan, generate_series(0, 1) k`,
  "SELECT refill_plan_facet()",
  "SELECT refill_plan_count()",
  "SELECT refill_plan_name()",
  "ALTER TABLE plan ENABLE TRIGGER USER",
  "ALTER TABLE project_link ENABLE TRIGGER USER",
  "VACUUM (ANALYZE)",
];

const ORDERS: readonly (readonly PlanOrder[])[] = PLAN_ORDER_FIELDS.flatMap((field) =>
  (["ASC", "DESC"] as const).map((direction) => [{ field, direction }]),
);

const FILTERS: readonly PlanFilter[] = [
  { ids: Array.from({ length: 40 }, (_, index) => id(index * 97 + 1)) },
  { rootPlanId: id(1) },
  { parentPlanId: id(1) },
  { hasParent: true },
  { hasParent: false },
  { phases: ["STRATEGIZE"] },
  { phases: ["APPLIED"] },
  { phases: ["APPLIED", "EXECUTE", "APPLY"] },
  { states: ["QUEUED"] },
  { states: ["ERRORED"] },
  { states: ["ERRORED", "COMPLETE", "CANCELLED"] },
  { actionNames: ["local/action-1"] },
  { actionNames: ["local/rare", "local/none", "local/action-2"] },
  { projectNames: ["local/project-1"] },
  { projectNames: ["local/rare"] },
  { projectNames: ["local/project-1", "local/project-2", "local/rare"] },
  { actors: ["local/actor-1"] },
  { actors: ["local/rare"] },
  { automationLevels: ["MANUAL"] },
  { automationLevels: ["FULL_AUTOMATION"] },
  { tags: { any: ["even-1", "third-2"] } },
  { tags: { any: ["rare"] } },
  { tags: { all: ["third-2"] } },
  { tags: { all: ["rare"] } },
  { createdAfter: at(PLANS / 2) },
  { createdBefore: at(PLANS / 2) },
  { updatedBefore: at(PLANS / 2) },
  { nameContains: "plan-" },
];

/** Where few plans are left that were created long ago and changed lately, the planner must choose between two indexes. */
const FILTERS_OF_A_FIRST_PAGE: readonly PlanFilter[] = [
  { updatedAfter: at(PLANS / 2) },
  { updatedAfter: at(PLANS + 10) },
];

const MIDST = `SELECT id AS "ID", name AS "NAME", phase AS "PHASE", state AS "STATE", created_at::text AS "CREATED_AT",
  updated_at::text AS "UPDATED_AT" FROM plan WHERE id = '${id(PLANS / 2)}'`;

/** What PostgreSQL tells of one node of a plan, and of those below it. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

describe("a page of many plans", () => {
  let place: DatabasePlace<"server">;
  let database: Database;
  let asked: Statement[] = [];
  /** The values of the plan in the midst, by which it is ordered. */
  let midst: Record<PlanOrderField | "ID", string>;

  beforeAll(async () => {
    place = await createServerDatabase("migrated");
    const client = new pg.Client(place.config.url);
    await client.connect();
    for (const statement of FILL) await client.query(statement);
    midst = (await client.query(MIDST)).rows[0];
    await client.end();
    database = await connectDatabase(place.config);
  });
  afterAll(async () => {
    await database.close();
    await place.remove();
  });

  /** Asks for a page, and keeps what was asked of the database. */
  async function askPage(
    filter: PlanFilter,
    orderBy: readonly PlanOrder[],
    window: Window<PlanCursor>,
  ): Promise<void> {
    asked = [];
    const read: Database["read"] = (statement) => {
      asked.push(statement);
      return database.read(statement);
    };
    const store = planStore({ ...database, read }, 1_000_000);
    const facts = { withPage: true, withTotal: false, withBehind: true };
    await store.page({ filter, orderBy, window, shape: new Map(), ...facts });
  }

  /** The nodes, as far as they ran, of the plan by which the first statement that was asked is answered. */
  async function planned(): Promise<readonly PlanNode[]> {
    const [statement] = asked;
    if (statement === undefined) throw new Error("Nothing was asked.");
    const explain = { ...statement, text: `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}` };
    const [row] = await database.read<{ "QUERY PLAN": readonly [{ readonly Plan: PlanNode }] }>(explain);
    const nodes: PlanNode[] = [];
    const collect = (node: PlanNode) => {
      if (node["Actual Loops"] > 0) nodes.push(node);
      for (const child of node.Plans ?? []) collect(child);
    };
    if (row !== undefined) collect(row["QUERY PLAN"][0].Plan);
    return nodes;
  }

  /** How many rows a node has looked at, all its rounds together. */
  function rowsSeen(node: PlanNode): number {
    const each =
      node["Actual Rows"] +
      (node["Rows Removed by Filter"] ?? 0) +
      (node["Rows Removed by Index Recheck"] ?? 0);
    return each * node["Actual Loops"];
  }

  async function expectFewRows(few = FEW_ROWS): Promise<void> {
    const nodes = await planned();
    const sequential = nodes.filter((node) => node["Node Type"] === "Seq Scan");
    expect(sequential.map((node) => node["Relation Name"]).filter((name) => name !== "event_log")).toEqual(
      [],
    );
    expect(Math.max(...nodes.map(rowsSeen))).toBeLessThanOrEqual(few);
  }

  /** The first page, and from the midst of all plans one in each direction. */
  async function expectFewRowsAnywhere(filter: PlanFilter, orderBy: readonly PlanOrder[]): Promise<void> {
    const cursor = orderBy.map(({ field }) => midst[field]).concat(midst.ID);
    const windows = [
      { backward: false, cursor: null },
      { backward: false, cursor },
      { backward: true, cursor },
    ];
    for (const window of windows) {
      await askPage(filter, orderBy, { size: PAGE, ...window });
      await expectFewRows();
    }
  }

  it.each(ORDERS)("ordered by $field $direction looks at few of them", async (order) => {
    await expectFewRowsAnywhere({}, [order]);
    await expectFewRowsAnywhere({ includeArchived: true }, [order]);
  });

  const named = (filter: PlanFilter) => ({ filter, name: JSON.stringify(filter).slice(0, 60) });

  it.each(FILTERS.map(named))("with the filter $name looks at few of them", async ({ filter }) => {
    await expectFewRowsAnywhere(filter, NEWEST_FIRST);
    await expectFewRowsAnywhere({ ...filter, includeArchived: true }, NEWEST_FIRST);
  });

  it.each(FILTERS_OF_A_FIRST_PAGE.map(named))(
    "with the filter $name looks at few of them",
    async ({ filter }) => {
      await askPage(filter, NEWEST_FIRST, { size: PAGE, backward: false, cursor: null });
      await expectFewRows();
    },
  );

  it("of names that are rare looks at a stretch of them and at those that have the name", async () => {
    for (const nameContains of ["needle", "dle-", "zz", "zzz"]) {
      for (const [order] of ORDERS) {
        await askPage({ nameContains }, order === undefined ? [] : [order], {
          size: PAGE,
          backward: false,
          cursor: null,
        });
        await expectFewRows(1_000);
      }
    }
  });
});
