/** What follows from a plan and its items without being written in them (workflow-plan.md §7). */
import type { WorkflowPlanItem } from "./model/item.js";
import type { WorkflowPlan } from "./model/plan.js";

/** The workflow whose hooks are used: an empty `hooks_from` names none. */
export function laneOf(plan: WorkflowPlan): string {
  return plan.hooks_from || plan.workflow;
}

/** An action's identifier, else the type of the operation. */
export function kindOf({ operation }: WorkflowPlanItem): string {
  return operation.type === "action" ? operation.identifier : operation.type;
}

/**
 * Whether a break here ends the remaining per-child stages, not only a loop inside one. A loop that has the
 * very name of the stage is outside of it.
 */
export function breaksChildren({ loop_break, child_stage, loop_id }: WorkflowPlanItem): boolean {
  return loop_break !== null && child_stage !== null && !loop_id?.startsWith(`${child_stage}/`);
}

/** Whether the step's result is handed to the next one when the item is done. */
export function handsOver({ phase, owner, summary, step, verifies }: WorkflowPlanItem): boolean {
  return phase === "step" && owner === "agent" && !summary && step !== "init" && verifies === null;
}
