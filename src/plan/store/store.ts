/** The plans in the database: questions about them, however deep they nest, and the unit of work of a command. */
import type { Database } from "../../database/database.js";
import type { Transact } from "../commands/port.js";
import type { PlanCounts, PlanNode, PlanReads } from "../reading.js";
import { Aggregates } from "./aggregates.js";
import { batches } from "./batches.js";
import { planCondition } from "./filter.js";
import { aggregateJson, raw, sql } from "./fragments.js";
import { keptCounts } from "./kept-counts.js";
import { type PlanQuestion, PlanQuestions } from "./plan-questions.js";
import { versionText } from "./plan-version.js";
import { answerText, ask, readAnswer, statementOf } from "./question.js";
import { planFromRows } from "./rows.js";
import { type BodyJson, type NestedJson, nestedJson, type PlanOf, readAround, versionsIn } from "./tree.js";

/** The plan of a node that has all of it. */
const inlinePlan: PlanOf = (body) => {
  if (typeof body === "string") throw new Error("A plan of the answer is not in it.");
  return planFromRows(body);
};

export interface PlanStore extends PlanReads {
  readonly transact: Transact;
}

/** How often a question is asked again when a plan changed between its statement and the reading of the plan. */
const ATTEMPTS = 3;

export function planStore(database: Database, maxCacheBytes: number): PlanStore {
  const aggregates = new Aggregates(database, maxCacheBytes);
  const questions = new PlanQuestions(askForPlans);

  /**
   * Asks a question about plans. The statement says which plans in which versions; they come from memory, or are
   * read together with a second one. Where plans keep changing in between, one statement brings all.
   */
  async function askForPlans<Told, Result extends object | null>(
    question: PlanQuestion<Told, Result>,
  ): Promise<Result> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const text = await answerText(database, question.versions);
      const last = question.last?.deref();
      if (last?.text === text) return last.result;
      const { answer, asOf } = readAnswer<Told>(text);
      const plans = await aggregates.inVersions(versionsIn(question.nested(answer)));
      if (plans === null) continue;
      const planOf: PlanOf = (body) => {
        const plan = typeof body === "string" ? plans.get(body) : undefined;
        if (plan === undefined) throw new Error("A plan of the answer was not read.");
        return plan;
      };
      const result = question.result(answer, { asOf, planOf });
      question.last = new WeakRef({ text, result });
      return result;
    }
    const { answer, asOf } = readAnswer<Told>(await answerText(database, question.whole()));
    return question.result(answer, { asOf, planOf: inlinePlan });
  }

  return {
    plan: (id, shape) => questions.single(id, shape),

    around: (plan, shape) => {
      const row = raw("p0");
      const ids = sql`SELECT ${plan.id}::text AS id, ${plan.parentPlanId}::text AS parent_plan_id,
        ${plan.rootPlanId}::text AS root_plan_id`;
      const statement = (body: BodyJson) =>
        statementOf(sql`SELECT ${nestedJson(row, shape, body)} FROM (${ids}) ${row}`, false);
      return askForPlans<NestedJson, PlanNode>({
        versions: statement(versionText),
        whole: () => statement(aggregateJson),
        nested: (answer) => answer,
        result: (answer, moment) => readAround(plan, answer, shape, moment),
      });
    },

    page: (request) => questions.page(request),

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
