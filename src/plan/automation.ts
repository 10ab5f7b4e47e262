/** How far a plan goes on by itself when a phase completes (domain.md §4). */
import type { AutomationLevel, PlanPhase } from "./plan.js";

/** Whether the move out of a completed phase happens by itself; false: it waits for a command. */
export const GOES_ON: Readonly<Record<AutomationLevel, Readonly<Record<PlanPhase, boolean>>>> = {
  MANUAL: { STRATEGIZE: false, EXECUTE: false, APPLY: false, APPLIED: false },
  REVIEW_BEFORE_APPLY: { STRATEGIZE: true, EXECUTE: false, APPLY: true, APPLIED: false },
  FULL_AUTOMATION: { STRATEGIZE: true, EXECUTE: true, APPLY: true, APPLIED: false },
};
