/** Counts of plans in the API. */
import { builder } from "../../graphql/builder.js";
import { PLAN_PHASES, PLAN_STATES, type PlanPhase, type PlanState, type Position } from "../plan.js";
import { planFilterSchema } from "../query-inputs.js";
import type { PlanCounts } from "../reading.js";
import { PlanPhaseEnum, PlanStateEnum } from "./enums.js";
import { PlanFilterInput } from "./filter.js";

interface Counted<Key> {
  readonly key: Key;
  readonly count: number;
}

const PhaseCountRef = builder.objectRef<Counted<PlanPhase>>("PhaseCount").implement({
  description: "How many plans are in one phase.",
  fields: (t) => ({
    phase: t.expose("key", { type: PlanPhaseEnum, description: "The phase." }),
    count: t.exposeInt("count", { description: "The number of plans in it." }),
  }),
});

const StateCountRef = builder.objectRef<Counted<PlanState>>("StateCount").implement({
  description: "How many plans are in one state, whatever their phase.",
  fields: (t) => ({
    state: t.expose("key", { type: PlanStateEnum, description: "The state." }),
    count: t.exposeInt("count", { description: "The number of plans in it." }),
  }),
});

const PhaseAndStateCountRef = builder
  .objectRef<Position & { readonly count: number }>("PhaseAndStateCount")
  .implement({
    description: "How many plans are in one state of one phase.",
    fields: (t) => ({
      phase: t.expose("phase", { type: PlanPhaseEnum, description: "The phase." }),
      state: t.expose("state", { type: PlanStateEnum, description: "The state." }),
      count: t.exposeInt("count", { description: "The number of plans there." }),
    }),
  });

export const PlanCountsRef = builder.objectRef<PlanCounts>("PlanCounts").implement({
  description: "How many plans match, all counted at one moment.",
  fields: (t) => ({
    total: t.int({ description: "All of them.", resolve: ({ byPosition }) => sum(byPosition) }),
    byPhase: t.field({
      type: [PhaseCountRef],
      description: "By phase, in the order of the lifecycle; each phase is there, if with 0.",
      resolve: ({ byPosition }) =>
        PLAN_PHASES.map((key) => ({ key, count: sum(byPosition.filter(({ phase }) => phase === key)) })),
    }),
    byState: t.field({
      type: [StateCountRef],
      description: "By state; each state is there, if with 0.",
      resolve: ({ byPosition }) =>
        PLAN_STATES.map((key) => ({ key, count: sum(byPosition.filter(({ state }) => state === key)) })),
    }),
    byPhaseAndState: t.field({
      type: [PhaseAndStateCountRef],
      description: "By phase and state; where there are none, nothing is said.",
      resolve: ({ byPosition }) => byPosition,
    }),
    asOf: t.field({
      type: "EventCursor",
      description: "The head of the log when the plans were counted: everything up to it is in the answer.",
      resolve: ({ asOf }, _args, { feeds }) => feeds.cursor(asOf),
    }),
  }),
});

export function planCountsArgs() {
  return builder.args((t) => ({
    filter: t.field({
      type: PlanFilterInput,
      description: "Which plans; without it all that are not archived.",
      validate: { schema: planFilterSchema },
    }),
  }));
}

function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
