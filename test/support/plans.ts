/** Plans for tests, made and moved through the API. */
import { PLAN_PHASES, type PlanPhase, type PlanState } from "../../src/plan/plan.js";
import type { TestApp } from "./app.js";

/** What a mutation answers, with the fields of its success and of every refusal. */
export interface Outcome {
  readonly __typename: string;
  readonly cursor?: string;
  readonly plan: PlanFacts;
  readonly code?: string;
  readonly message?: string;
  readonly id?: string;
  readonly actualVersion?: number;
  readonly issues?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  readonly from?: { readonly phase: PlanPhase; readonly state: PlanState };
  readonly to?: { readonly phase: PlanPhase; readonly state: PlanState };
  readonly blockers?: readonly { readonly code: string; readonly message: string }[];
}

export interface PlanFacts {
  readonly id: string;
  readonly name: string;
  readonly phase: PlanPhase;
  readonly state: PlanState;
  readonly version: number;
  readonly updatedAt: string;
}

const OUTCOME = `
  __typename
  ... on CommandSuccess { cursor plan { ...Facts } }
  ... on Refusal { code message }
  ... on NotFound { id }
  ... on InvalidInput { issues { path code message } }
  ... on TransitionRejected { from { phase state } to { phase state } blockers { code message } }
  ... on VersionConflict { actualVersion plan { ...Facts } }
  ... on IdempotencyConflict { plan { ...Facts } }`;
const FACTS = "fragment Facts on Plan { id name phase state version updatedAt }";

/** Runs one mutation, such as `startPhase`, with its input. */
export async function run(
  app: TestApp,
  mutation: string,
  input: object,
  headers: Record<string, string> = {},
): Promise<Outcome> {
  const query = `mutation($input: ${inputType(mutation)}!) { outcome: ${mutation}(input: $input) { ${OUTCOME} } } ${FACTS}`;
  const { outcome } = await app.ask<{ outcome: Outcome }>(query, { input }, headers);
  return outcome;
}

/** Runs one mutation that must succeed. */
export async function succeed(
  app: TestApp,
  mutation: string,
  input: object,
): Promise<Outcome & { cursor: string }> {
  const outcome = await run(app, mutation, input);
  if (outcome.cursor === undefined) throw new Error(`${mutation} was refused: ${JSON.stringify(outcome)}`);
  return { ...outcome, cursor: outcome.cursor };
}

/** Makes a plan; whatever is not given has a plain value. */
export async function createPlan(app: TestApp, input: object = {}): Promise<PlanFacts> {
  const { plan } = await succeed(app, "createPlan", {
    actionName: "local/review",
    projectLinks: [{ projectName: "local/shop" }],
    ...input,
  });
  return plan;
}

/** A mutation on a plan, with what its input holds besides the plan. */
export type Step = string | readonly [mutation: string, input: object];

/** Runs mutations on one plan, one after the other, in one request. */
export async function runAll(app: TestApp, planId: string, steps: readonly Step[]): Promise<Outcome[]> {
  const named = steps.map((step, index) => {
    const [mutation, input] = typeof step === "string" ? [step, {}] : step;
    return { name: `step${index}`, mutation, input: { planId, ...input } };
  });
  const parameters = named.map(({ name, mutation }) => `$${name}: ${inputType(mutation)}!`);
  const fields = named.map(({ name, mutation }) => `${name}: ${mutation}(input: $${name}) { ${OUTCOME} }`);
  const query = `mutation(${parameters.join()}) { ${fields.join(" ")} } ${FACTS}`;
  const variables = Object.fromEntries(named.map(({ name, input }) => [name, input]));
  return Object.values(await app.ask<Record<string, Outcome>>(query, variables));
}

/** The same, where all must succeed; answers the plan after the last one. */
export async function proceed(app: TestApp, planId: string, steps: readonly Step[]): Promise<PlanFacts> {
  const outcomes = await runAll(app, planId, steps);
  const refused = outcomes.find(({ cursor }) => cursor === undefined);
  const last = outcomes.at(-1);
  if (refused !== undefined || last === undefined)
    throw new Error(`A step of ${JSON.stringify(steps)} was refused: ${JSON.stringify(refused)}`);
  return last.plan;
}

/** Makes a plan that never moves by itself, and moves it to a position by the ordinary commands. */
export async function createPlanAt(
  app: TestApp,
  phase: PlanPhase,
  state: PlanState,
  input: object = {},
): Promise<PlanFacts> {
  const created = await createPlan(app, input);
  const steps: Step[] = PLAN_PHASES.slice(1, PLAN_PHASES.indexOf(phase) + 1).flatMap(
    (to): readonly Step[] => ["startPhase", "completePhase", ["advancePlan", { to }]],
  );
  if (phase !== "APPLIED") steps.push(...STEPS_INTO[state]);
  return steps.length === 0 ? created : proceed(app, created.id, steps);
}

const STEPS_INTO: { readonly [State in PlanState]: readonly Step[] } = {
  QUEUED: [],
  PROCESSING: ["startPhase"],
  ERRORED: ["startPhase", ["failPhase", { message: "It went wrong." }]],
  COMPLETE: ["startPhase", "completePhase"],
  CANCELLED: ["cancelPlan"],
};

/** What a query says of one plan. */
export async function readPlan<Facts = PlanFacts>(
  app: TestApp,
  id: string,
  selection = "...Facts",
): Promise<Facts> {
  const facts = selection.includes("...Facts") ? FACTS : "";
  const { plan } = await app.ask<{ plan: Facts }>(
    `query($id: ULID!) { plan(id: $id) { ${selection} } } ${facts}`,
    { id },
  );
  return plan;
}

/** The plans of these ids as they are now, by id. */
export async function readPlans(app: TestApp, ids: readonly string[]): Promise<Map<string, PlanFacts>> {
  const found = new Map<string, PlanFacts>();
  for (let start = 0; start < ids.length; start += 100) {
    const { plans } = await app.ask<{ plans: { edges: { node: PlanFacts }[] } }>(
      `query($filter: PlanFilter) { plans(filter: $filter, first: 100) { edges { node { ...Facts } } } } ${FACTS}`,
      { filter: { ids: ids.slice(start, start + 100) } },
    );
    for (const { node } of plans.edges) found.set(node.id, node);
  }
  return found;
}

export interface EventFacts {
  readonly seq: string;
  readonly cursor: string;
  readonly planVersion: number;
  readonly type: string;
  readonly at: string;
  readonly actor: string;
  readonly automatic: boolean;
  readonly data: Record<string, unknown>;
  readonly from: EventSideFacts | null;
  readonly to: EventSideFacts;
}

export interface EventSideFacts {
  readonly phase: PlanPhase;
  readonly state: PlanState;
  readonly tags: readonly string[];
}

/** The events of a plan, oldest first; at most 100. */
export async function historyOf(app: TestApp, planId: string): Promise<EventFacts[]> {
  const side = "{ phase state tags }";
  const { events } = await readPlan<{ events: { edges: { node: EventFacts }[] } }>(
    app,
    planId,
    `events(first: 100) { edges { node {
      seq cursor planVersion type at actor automatic data from ${side} to ${side}
    } } }`,
  );
  return events.edges.map(({ node }) => node);
}

function inputType(mutation: string): string {
  return `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
}
