/** The plans in the database: whole questions in one statement, and the unit of work of a command. */
import type { Database } from "../../database/database.js";
import type { PlanUnitOfWork } from "../commands/port.js";
import type { PlanCounts, PlanReads } from "../reading.js";
import { planCondition } from "./filter.js";
import { raw, sql } from "./fragments.js";
import { ask } from "./question.js";
import {
  type NestedJson,
  type NodeJson,
  nestedJson,
  nodeJson,
  type PageJson,
  planPageJson,
  readAround,
  readNode,
  readPlanPage,
} from "./tree.js";
import { unitOfWork } from "./unit-of-work.js";

export interface PlanStore extends PlanReads {
  /** Runs the work of one command in one transaction; see `Database.transaction`. */
  transact<Result>(work: (unit: PlanUnitOfWork) => Promise<Result>): Promise<Result>;
}

export function planStore(database: Database): PlanStore {
  return {
    async plan(id, shape) {
      const plan = raw("p0");
      const { answer, asOf } = await ask<NodeJson | null>(
        database,
        sql`SELECT ${nodeJson(plan, shape, 0)} FROM plan ${plan} WHERE ${plan}.id = ${id}`,
      );
      return answer === null ? null : readNode(answer, shape, asOf);
    },

    async around(plan, shape) {
      const row = raw("p0");
      const ids = sql`SELECT ${plan.id}::text AS id, ${plan.parentPlanId}::text AS parent_plan_id,
        ${plan.rootPlanId}::text AS root_plan_id`;
      const { answer, asOf } = await ask<NestedJson>(
        database,
        sql`SELECT ${nestedJson(row, shape, 0)} FROM (${ids}) ${row}`,
      );
      return readAround(plan, answer, shape, asOf);
    },

    async page(request) {
      const { answer, asOf } = await ask<PageJson<NodeJson>>(
        database,
        sql`SELECT ${planPageJson(request, () => sql`true`)}`,
      );
      return readPlanPage(answer, request, asOf);
    },

    async counts(filter) {
      const plan = raw("p0");
      const { answer, asOf } = await ask<PlanCounts["byPosition"]>(
        database,
        sql`
        SELECT coalesce(json_agg(json_build_object('phase', c.phase, 'state', c.state, 'count', c.count)
          ORDER BY c.phase, c.state), '[]'::json)
        FROM (SELECT phase, state, count(*)::int AS count FROM plan ${plan}
          WHERE ${planCondition(plan, filter)} GROUP BY phase, state) c`,
      );
      return { byPosition: answer, asOf };
    },

    transact: (work) => database.transaction((tx) => work(unitOfWork(tx))),
  };
}
