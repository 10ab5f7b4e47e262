/** Cancel and complete on one plan at once: what each client was told is what happened, and one of them ended the plan. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, historyOf, type PlanFacts, proceed, readPlans, run } from "../support/plans.js";

/** The work of a plan up to the middle of a phase. */
const INTO_PHASES = [
  { phase: "STRATEGIZE", automationLevel: "MANUAL", steps: ["startPhase"], rounds: 150 },
  {
    phase: "APPLY",
    automationLevel: "FULL_AUTOMATION",
    steps: ["startPhase", "completePhase", "startPhase", "completePhase", "startPhase"],
    rounds: 50,
  },
] as const;

/** So many commands take their time on a machine that is busy with others. */
const TIME_LIMIT_MS = 240_000;

describe.each(appHomes)("cancel and complete at once ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  it.each(INTO_PHASES)(
    "agree in $phase with what became of the plan, $rounds times",
    async ({ phase, automationLevel, steps, rounds }) => {
      const plans = await inTens(rounds, async () => {
        const { id } = await createPlan(app, { automationLevel });
        return proceed(app, id, steps);
      });
      const ends = await inTens(rounds, async (round) => {
        const plan = plans[round];
        if (plan === undefined) throw new Error("A round has no plan.");
        return contest(plan, phase, round % 2 === 0);
      });
      const ids = ends.map(({ plan }) => plan.id);
      expect(await readPlans(app, ids)).toEqual(new Map(ends.map(({ plan }) => [plan.id, plan])));
      // Whoever is sent first mostly wins, so both ends were seen.
      expect(new Set(ends.map(({ completed }) => completed)).size).toBe(2);
    },
    TIME_LIMIT_MS,
  );

  /** Whether the completion was in time, and the plan that the last winner was told of. */
  async function contest({ id, version }: PlanFacts, phase: string, cancelFirst: boolean) {
    const order = cancelFirst ? ["cancelPlan", "completePhase"] : ["completePhase", "cancelPlan"];
    const outcomes = await Promise.all(order.map((mutation) => run(app, mutation, { planId: id })));
    const won = outcomes.filter(({ cursor }) => cursor !== undefined);
    const rejected = outcomes.filter(({ code }) => code === "TRANSITION_REJECTED");
    expect(won.length + rejected.length).toBe(2);
    const completed = won.some(({ __typename }) => __typename === "CompletePhaseSuccess");
    const cancelled = won.some(({ __typename }) => __typename === "CancelPlanSuccess");

    const history = await historyOf(app, id);
    // A completed plan can be cancelled, until it is applied.
    expect(history.slice(version).map(({ type }) => type)).toEqual([
      ...(completed ? ["PHASE_COMPLETED"] : []),
      phase === "APPLY" && completed ? "PLAN_APPLIED" : "PLAN_CANCELLED",
    ]);
    const last = history.at(-1);
    expect(cancelled).toBe(last?.type === "PLAN_CANCELLED");
    const final = won.find(({ cursor }) => cursor === last?.cursor);
    if (final === undefined) throw new Error("Nobody was told of the last event.");
    return { completed, plan: final.plan };
  }
});

/** Ten workers share the rounds: quick, and each round still meets others. */
async function inTens<Result>(rounds: number, work: (round: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < rounds) {
      const round = next;
      next += 1;
      results[round] = await work(round);
    }
  };
  await Promise.all(Array.from({ length: 10 }, worker));
  return results;
}
