/** The plans in the database: questions about them, however deep they nest, and the unit of work of a command. */
import type { Database, Sql } from "../../database/database.js";
import type { Transact } from "../commands/port.js";
import type { PlanCounts, PlanNode, PlanPage, PlanReads } from "../reading.js";
import { Aggregates } from "./aggregates.js";
import { batches } from "./batches.js";
import { planCondition } from "./filter.js";
import { aggregateJson, raw, sql } from "./fragments.js";
import { keptCounts } from "./kept-counts.js";
import { ask } from "./question.js";
import { planFromRows } from "./rows.js";
import {
  type BodyJson,
  type Moment,
  type NestedJson,
  type NodeJson,
  nestedJson,
  nodeJson,
  type PageJson,
  type PlanOf,
  planPageJson,
  readAround,
  readNode,
  readPlanPage,
  versionJson,
  versionsIn,
} from "./tree.js";

/** The plan of a node that has all of it. */
const inlinePlan: PlanOf = (body) => {
  if ("version" in body) throw new Error("A plan of the answer is not in it.");
  return planFromRows(body);
};

export interface PlanStore extends PlanReads {
  readonly transact: Transact;
}

/** How often a question is asked again when a plan changed between its statement and the reading of the plan. */
const ATTEMPTS = 3;

export function planStore(database: Database, maxCacheBytes: number): PlanStore {
  const aggregates = new Aggregates(database, maxCacheBytes);

  /**
   * Asks a question about plans. The statement says which plans in which versions; they come from memory, or are
   * read together with a second one. Where plans keep changing in between, one statement brings all.
   */
  async function askForPlans<Answer, Result>(
    question: (body: BodyJson) => Sql,
    answers: (answer: Answer) => NestedJson,
    result: (answer: Answer, moment: Moment) => Result,
  ): Promise<Result> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { answer, asOf } = await ask<Answer>(database, question(versionJson));
      const plans = await aggregates.inVersions(versionsIn(answers(answer)));
      if (plans === null) continue;
      const planOf: PlanOf = (body) => {
        const plan = "version" in body ? plans.get(body.id) : undefined;
        if (plan === undefined) throw new Error("A plan of the answer was not read.");
        return plan;
      };
      return result(answer, { asOf, planOf });
    }
    const { answer, asOf } = await ask<Answer>(database, question(aggregateJson));
    return result(answer, { asOf, planOf: inlinePlan });
  }

  return {
    plan: (id, shape) => {
      const plan = raw("p0");
      return askForPlans<NodeJson | null, PlanNode | null>(
        (body) => sql`SELECT ${nodeJson(plan, shape, body)} FROM plan ${plan} WHERE ${plan}.id = ${id}`,
        (answer) => [answer],
        (answer, moment) => (answer === null ? null : readNode(answer, shape, moment)),
      );
    },

    around: (plan, shape) => {
      const row = raw("p0");
      const ids = sql`SELECT ${plan.id}::text AS id, ${plan.parentPlanId}::text AS parent_plan_id,
        ${plan.rootPlanId}::text AS root_plan_id`;
      return askForPlans<NestedJson, PlanNode>(
        (body) => sql`SELECT ${nestedJson(row, shape, body)} FROM (${ids}) ${row}`,
        (answer) => answer,
        (answer, moment) => readAround(plan, answer, shape, moment),
      );
    },

    page: (request) =>
      askForPlans<PageJson<NodeJson>, PlanPage>(
        (body) => sql`SELECT ${planPageJson(request, null, body)}`,
        (answer) => [answer],
        (answer, moment) => readPlanPage(answer, request, moment),
      ),

    async counts(filter) {
      const plan = raw("p0");
      const kept = keptCounts(filter);
      const counts =
        kept === null
          ? sql`SELECT phase, state, count(*)::int AS count FROM plan ${plan}
              WHERE ${planCondition(plan, filter)} GROUP BY phase, state`
          : sql`SELECT phase, state, sum(c.count)::int AS count FROM plan_count c
              WHERE ${kept} GROUP BY phase, state HAVING sum(c.count) > 0`;
      const { answer, asOf } = await ask<PlanCounts["byPosition"]>(
        database,
        sql`SELECT coalesce(json_agg(json_build_object('phase', c.phase, 'state', c.state, 'count', c.count)
          ORDER BY c.phase, c.state), '[]'::json) FROM (${counts}) c`,
      );
      return { byPosition: answer, asOf };
    },

    transact: batches(database, aggregates),
  };
}
