/** What happens next among the demonstration's plans: mostly progress, now and then an error, rarely an end. */
import type { Command, PlanFacts } from "./api.js";
import { pick, pickByWeight } from "./chance.js";
import { newIdea } from "./ideas.js";

/** A plan with the commands that the server would allow on it now. */
export interface Candidate extends PlanFacts {
  readonly availableActions: readonly { readonly command: string; readonly allowed: boolean }[];
}

/** Fewer active plans than this get company, and at the upper end no more are made. */
const fewestActive = 10;
const mostActive = 40;
/** As many final plans stay in sight. */
const mostFinished = 30;

/** What may be done to a plan, how likely each is beside the others, and with what. */
const habits: readonly {
  readonly command: string;
  readonly weight: number;
  readonly mutation: string;
  readonly actor: string;
  readonly input: (plan: PlanFacts, random: () => number) => object;
}[] = [
  { command: "START_PHASE", weight: 10, mutation: "startPhase", actor: "local/worker-2", input: () => ({}) },
  {
    command: "COMPLETE_PHASE",
    weight: 8,
    mutation: "completePhase",
    actor: "local/worker-2",
    input: (_, random) => ({
      validationSummary: { tests: { passed: 200 + Math.floor(random() * 300), failed: 0 } },
    }),
  },
  {
    command: "FAIL_PHASE",
    weight: 1,
    mutation: "failPhase",
    actor: "local/worker-2",
    input: (_, random) => pick(failures, random),
  },
  { command: "RETRY_PHASE", weight: 6, mutation: "retryPhase", actor: "local/grace", input: () => ({}) },
  {
    command: "ADVANCE_PLAN",
    weight: 8,
    mutation: "advancePlan",
    actor: "local/grace",
    input: ({ phase }) => ({
      to: phase === "STRATEGIZE" ? "EXECUTE" : phase === "EXECUTE" ? "APPLY" : "APPLIED",
    }),
  },
  {
    command: "CANCEL_PLAN",
    weight: 0.2,
    mutation: "cancelPlan",
    actor: "local/grace",
    input: (_, random) => ({ reason: pick(reasons, random) }),
  },
];

const failures = [
  { message: "The tests of the change set fail.", details: { failed: 3, suite: "checkout" } },
  { message: "The sandbox ran out of disk space.", details: { usedGiB: 20, limitGiB: 20 } },
  { message: "The model's provider answered too slowly, three times in a row.", details: { timeouts: 3 } },
];

const reasons = [
  "Another plan does the same.",
  "The product team changed its mind.",
  "It costs more than it brings.",
];

/** The next command, and the plan that it moves; null where it makes one. */
export function nextCommand(
  active: readonly Candidate[],
  finished: readonly PlanFacts[],
  random: () => number,
): { readonly command: Command; readonly plan: PlanFacts | null } {
  const [oldest] = finished;
  if (oldest !== undefined && finished.length > mostFinished) {
    const command = { mutation: "archivePlan", input: { planId: oldest.id }, actor: "local/grace" };
    return { command, plan: oldest };
  }
  const wantsCompany = active.length < fewestActive || (active.length < mostActive && random() < 0.1);
  const plan = wantsCompany ? undefined : pick(active, random);
  const habit =
    plan &&
    pickByWeight(
      habits.filter(({ command }) => allows(plan, command)),
      random,
    );
  if (plan === undefined || habit === undefined) {
    return { command: { mutation: "createPlan", input: newIdea(random), actor: "local/grace" }, plan: null };
  }
  const { mutation, actor, input } = habit;
  return { command: { mutation, input: { planId: plan.id, ...input(plan, random) }, actor }, plan };
}

function allows(plan: Candidate, command: string): boolean {
  return plan.availableActions.some((action) => action.command === command && action.allowed);
}
