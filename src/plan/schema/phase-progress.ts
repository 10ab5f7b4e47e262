/** How far a plan got in each phase, in the API. */
import { settled } from "../../execution/settled.js";
import { builder } from "../../graphql/builder.js";
import { type PhaseProgress, PLAN_PHASES, type Plan, type PlanState } from "../plan.js";
import { PhaseStatusEnum, PlanPhaseEnum } from "./enums.js";

interface Progress extends PhaseProgress {
  readonly status: PlanState | "NOT_STARTED";
}

/** A phase that was left behind is COMPLETE: nothing else lets a plan leave it. */
export function progressOfEveryPhase(plan: Plan): readonly Progress[] {
  return PLAN_PHASES.map((phase) => {
    const progress = plan.phases.find((entered) => entered.phase === phase);
    if (progress === undefined) {
      return { phase, status: "NOT_STARTED", queuedAt: null, startedAt: null, finishedAt: null, attempts: 0 };
    }
    return { ...progress, status: phase === plan.phase ? plan.state : "COMPLETE" };
  });
}

export const PhaseProgressRef = builder.objectRef<Progress>("PhaseProgress").implement({
  extensions: settled,
  description: "How far a plan got in one phase.",
  fields: (t) => ({
    phase: t.expose("phase", { type: PlanPhaseEnum, description: "The phase." }),
    status: t.expose("status", { type: PhaseStatusEnum, description: "How far the plan got in it." }),
    queuedAt: t.expose("queuedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was last queued; null if it never was.",
    }),
    startedAt: t.expose("startedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was last started; null if it never was.",
    }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was completed; null if it was not.",
    }),
    attempts: t.exposeInt("attempts", { description: "How often it was started." }),
    durationMs: t.float({
      nullable: true,
      description:
        "Whole milliseconds from the last start to the completion; null unless it is complete and was started.",
      resolve: ({ startedAt, finishedAt }) =>
        startedAt === null || finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt),
    }),
  }),
});
