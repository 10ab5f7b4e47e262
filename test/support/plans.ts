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
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { outcome: ${mutation}(input: $input) { ${OUTCOME} } } ${FACTS}`;
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

/** Makes a plan and moves it to a position by the ordinary commands. */
export async function createPlanAt(
  app: TestApp,
  phase: PlanPhase,
  state: PlanState,
  input: object = {},
): Promise<PlanFacts> {
  const { id: planId } = await createPlan(app, input);
  for (const next of PLAN_PHASES.slice(1, PLAN_PHASES.indexOf(phase) + 1)) {
    await succeed(app, "startPhase", { planId });
    await succeed(app, "completePhase", { planId });
    await succeed(app, "advancePlan", { planId, to: next });
  }
  if (phase !== "APPLIED" && state !== "QUEUED" && state !== "CANCELLED")
    await succeed(app, "startPhase", { planId });
  if (phase !== "APPLIED" && state === "COMPLETE") await succeed(app, "completePhase", { planId });
  if (state === "ERRORED") await succeed(app, "failPhase", { planId, message: "It went wrong." });
  if (state === "CANCELLED") await succeed(app, "cancelPlan", { planId });
  const { plan } = await app.ask<{ plan: PlanFacts }>(
    `query($id: ULID!) { plan(id: $id) { ...Facts } } ${FACTS}`,
    {
      id: planId,
    },
  );
  return plan;
}
