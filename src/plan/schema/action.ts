/** What can be done with a plan now, from the same guards that the commands use. */
import { settled } from "../../execution/settled.js";
import { builder } from "../../graphql/builder.js";
import { blockers, type Intent, PHASE_MOVES, PLAN_COMMANDS, type PlanCommandName } from "../lifecycle.js";
import type { Plan, PlanPhase } from "../plan.js";
import type { Blocker } from "../refusals.js";
import { BlockerCodeEnum, PlanCommandEnum, PlanPhaseEnum } from "./enums.js";

export interface PlanAction {
  readonly command: PlanCommandName;
  readonly to: PlanPhase | null;
  readonly blockers: readonly Blocker[];
}

export function availableActions(plan: Plan): readonly PlanAction[] {
  return PLAN_COMMANDS.map((command) => {
    if (command !== "ADVANCE_PLAN") return { command, to: null, blockers: blockers(plan, { command }) };
    const to = PHASE_MOVES[plan.phase]?.to ?? null;
    const intent: Intent = { command, to: to ?? plan.phase };
    return { command, to, blockers: blockers(plan, intent) };
  });
}

export const BlockerRef = builder.objectRef<Blocker>("Blocker").implement({
  extensions: settled,
  description: "A reason why a command is not allowed now.",
  fields: (t) => ({
    code: t.expose("code", { type: BlockerCodeEnum, description: "The kind of reason." }),
    message: t.exposeString("message", { description: "The reason in a sentence." }),
  }),
});

export const PlanActionRef = builder.objectRef<PlanAction>("PlanAction").implement({
  extensions: settled,
  description: "A command on a plan, and whether it is allowed as the plan stands now.",
  fields: (t) => ({
    command: t.expose("command", { type: PlanCommandEnum, description: "The command." }),
    to: t.expose("to", {
      type: PlanPhaseEnum,
      nullable: true,
      description: "For ADVANCE_PLAN the phase that comes next; null for the other commands and at the end.",
    }),
    allowed: t.boolean({
      description: "Whether the command would be accepted.",
      resolve: ({ blockers }) => blockers.length === 0,
    }),
    blockers: t.expose("blockers", {
      type: [BlockerRef],
      description: "Every reason why not; none if it is allowed.",
    }),
  }),
});
