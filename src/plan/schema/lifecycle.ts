/** The tables of the lifecycle in the API, so that a client draws them instead of knowing them. */
import { builder } from "../../graphql/builder.js";
import {
  PHASE_MOVES,
  PLAN_COMMANDS,
  type PlanCommandName,
  RECORD_RULES,
  type RecordCommand,
  type RecordRule,
  STATE_MOVES,
  type StateCommand,
} from "../lifecycle.js";
import { PLAN_PHASES, PLAN_STATES, type PlanPhase, type PlanState } from "../plan.js";
import { PlanCommandEnum, PlanPhaseEnum, PlanStateEnum } from "./enums.js";

interface PhaseMove {
  readonly from: PlanPhase;
  readonly to: PlanPhase;
  readonly entersAs: PlanState;
}

interface StateMove {
  readonly command: StateCommand;
  readonly from: PlanState;
  readonly to: PlanState;
}

const PhaseMoveRef = builder.objectRef<PhaseMove>("PhaseMove").implement({
  description:
    "A move from one phase into the next, by `advancePlan` or by the plan itself. It needs the state COMPLETE.",
  fields: (t) => ({
    from: t.expose("from", { type: PlanPhaseEnum, description: "The phase that is left." }),
    to: t.expose("to", { type: PlanPhaseEnum, description: "The phase that is entered." }),
    entersAs: t.expose("entersAs", { type: PlanStateEnum, description: "The state in which it is entered." }),
  }),
});

const StateMoveRef = builder.objectRef<StateMove>("StateMove").implement({
  description: "What a command does to the state inside a phase. None happens in APPLIED.",
  fields: (t) => ({
    command: t.expose("command", { type: PlanCommandEnum, description: "The command." }),
    from: t.expose("from", { type: PlanStateEnum, description: "The state before." }),
    to: t.expose("to", {
      type: PlanStateEnum,
      description: "The state after; the same where a further error of an ERRORED plan is reported.",
    }),
  }),
});

const RequirementEnum = builder.enumType("Requirement", {
  description: "What a command needs of a property of the plan.",
  values: {
    REQUIRED: { description: "The plan must have it." },
    REFUSED: { description: "The plan must not have it." },
    EITHER: { description: "It does not matter." },
  } as const,
});

const RecordRuleRef = builder
  .objectRef<RecordRule & { readonly command: RecordCommand }>("RecordRule")
  .implement({
    description: "When a command that leaves phase and state as they are is allowed.",
    fields: (t) => ({
      command: t.expose("command", { type: PlanCommandEnum, description: "The command." }),
      final: t.expose("final", {
        type: RequirementEnum,
        description: "Whether the plan has to be applied or cancelled.",
      }),
      archived: t.expose("archived", {
        type: RequirementEnum,
        description: "Whether the plan has to be archived.",
      }),
      phases: t.expose("phases", {
        type: [PlanPhaseEnum],
        description: "The phases in which it is allowed.",
      }),
      states: t.expose("states", {
        type: [PlanStateEnum],
        description: "The states in which it is allowed.",
      }),
    }),
  });

const LifecycleRef = builder.objectRef<object>("Lifecycle").implement({
  description: "The tables that the server itself decides by.",
  fields: (t) => ({
    phases: t.field({
      type: [PlanPhaseEnum],
      description: "The phases, in their order.",
      resolve: () => [...PLAN_PHASES],
    }),
    states: t.field({
      type: [PlanStateEnum],
      description: "The states in a phase.",
      resolve: () => [...PLAN_STATES],
    }),
    commands: t.field({
      type: [PlanCommandEnum],
      description: "The commands on a plan that exists.",
      resolve: () => [...PLAN_COMMANDS] as PlanCommandName[],
    }),
    phaseMoves: t.field({
      type: [PhaseMoveRef],
      description: "All moves from phase to phase.",
      resolve: () =>
        PLAN_PHASES.flatMap((from) => {
          const move = PHASE_MOVES[from];
          return move === null ? [] : [{ from, ...move }];
        }),
    }),
    stateMoves: t.field({
      type: [StateMoveRef],
      description: "All moves from state to state inside a phase.",
      resolve: () =>
        (Object.keys(STATE_MOVES) as StateCommand[]).flatMap((command) =>
          PLAN_STATES.flatMap((from) => {
            const to = STATE_MOVES[command][from];
            return to === null ? [] : [{ command, from, to }];
          }),
        ),
    }),
    recordRules: t.field({
      type: [RecordRuleRef],
      description: "When the other commands are allowed.",
      resolve: () =>
        (Object.keys(RECORD_RULES) as RecordCommand[]).map((command) => ({
          command,
          ...RECORD_RULES[command],
        })),
    }),
  }),
});

builder.queryField("lifecycle", (t) =>
  t.field({ type: LifecycleRef, description: "The lifecycle of plans as data.", resolve: () => ({}) }),
);
