/**
 * The lifecycle as data: which phase follows which, what each command does to a state, and when the other
 * commands are allowed (domain.md §1). Guards, `availableActions`, `dryRun` and the query `lifecycle` all
 * read these tables; a phase or state without its row does not compile.
 */
import type { Plan, PlanPhase, PlanState, Position } from "./plan.js";
import { PLAN_PHASES, PLAN_STATES } from "./plan.js";
import type { Blocker, BlockerCode } from "./refusals.js";

export const PLAN_COMMANDS = [
  "ADVANCE_PLAN",
  "START_PHASE",
  "COMPLETE_PHASE",
  "FAIL_PHASE",
  "RETRY_PHASE",
  "CANCEL_PLAN",
  "ADD_INVARIANT",
  "RECORD_ARTIFACTS",
  "FREEZE_WORKFLOW_PLAN",
  "SET_TAGS",
  "ARCHIVE_PLAN",
  "UNARCHIVE_PLAN",
] as const;
export type PlanCommandName = (typeof PLAN_COMMANDS)[number];

/** A command that moves the state inside a phase. */
export type StateCommand = "START_PHASE" | "COMPLETE_PHASE" | "FAIL_PHASE" | "RETRY_PHASE" | "CANCEL_PLAN";

/** A command that changes something else than phase and state. */
export type RecordCommand = Exclude<PlanCommandName, StateCommand | "ADVANCE_PLAN">;

/** What somebody wants to do with a plan: the command, and for the phase move its target. */
export type Intent =
  | {
      readonly command: "ADVANCE_PLAN";
      readonly to: PlanPhase;
      /** The workflow plan that the move is bound to; null or absent: whichever is frozen. */
      readonly workflowDigest?: string | null;
    }
  | { readonly command: StateCommand | RecordCommand };

/** Table 1: the phase that follows, and the state in which it is entered. Null: the end. */
export const PHASE_MOVES: Readonly<
  Record<PlanPhase, { readonly to: PlanPhase; readonly entersAs: PlanState } | null>
> = {
  STRATEGIZE: { to: "EXECUTE", entersAs: "QUEUED" },
  EXECUTE: { to: "APPLY", entersAs: "QUEUED" },
  APPLY: { to: "APPLIED", entersAs: "COMPLETE" },
  APPLIED: null,
};

/**
 * Table 2: where each command leads from each state, in every phase but APPLIED; null: not allowed.
 * A further failure of an errored phase reports another error and leaves the state.
 */
export const STATE_MOVES: Readonly<Record<StateCommand, Readonly<Record<PlanState, PlanState | null>>>> = {
  START_PHASE: { QUEUED: "PROCESSING", PROCESSING: null, ERRORED: null, COMPLETE: null, CANCELLED: null },
  COMPLETE_PHASE: { QUEUED: null, PROCESSING: "COMPLETE", ERRORED: null, COMPLETE: null, CANCELLED: null },
  FAIL_PHASE: { QUEUED: null, PROCESSING: "ERRORED", ERRORED: "ERRORED", COMPLETE: null, CANCELLED: null },
  RETRY_PHASE: { QUEUED: null, PROCESSING: null, ERRORED: "QUEUED", COMPLETE: null, CANCELLED: null },
  CANCEL_PLAN: {
    QUEUED: "CANCELLED",
    PROCESSING: "CANCELLED",
    ERRORED: "CANCELLED",
    COMPLETE: "CANCELLED",
    CANCELLED: null,
  },
};

/** When a command of table 3 is allowed: conditions that must all hold. */
export interface RecordRule {
  /** Whether the plan must be final, must not be, or either. */
  readonly final: "REQUIRED" | "REFUSED" | "EITHER";
  /** Whether the plan must be archived, must not be, or either. */
  readonly archived: "REQUIRED" | "REFUSED" | "EITHER";
  readonly phases: readonly PlanPhase[];
  readonly states: readonly PlanState[];
}

/** What a guard looks at. */
type Guarded = Pick<Plan, "phase" | "state" | "archivedAt" | "workflow">;

/** What the rules have where they ask nothing. */
const ANYWHERE = { archived: "EITHER", phases: PLAN_PHASES, states: PLAN_STATES } as const;

/** Table 3: the commands that leave phase and state as they are. */
export const RECORD_RULES: Readonly<Record<RecordCommand, RecordRule>> = {
  ADD_INVARIANT: { ...ANYWHERE, final: "REFUSED" },
  RECORD_ARTIFACTS: { ...ANYWHERE, final: "REFUSED", states: ["PROCESSING", "COMPLETE"] },
  FREEZE_WORKFLOW_PLAN: { ...ANYWHERE, final: "REFUSED", phases: ["STRATEGIZE"] },
  SET_TAGS: { ...ANYWHERE, final: "EITHER" },
  ARCHIVE_PLAN: { ...ANYWHERE, final: "REQUIRED", archived: "REFUSED" },
  UNARCHIVE_PLAN: { ...ANYWHERE, final: "EITHER", archived: "REQUIRED" },
};

/** Whether the phase `to` follows the phase `from`. */
export function canTransition(from: PlanPhase, to: PlanPhase): boolean {
  return PHASE_MOVES[from]?.to === to;
}

/** Whether nothing of the lifecycle can happen to a plan any more: applied, or cancelled in any phase. */
export function isFinal({ phase, state }: Position): boolean {
  return state === "CANCELLED" || phase === "APPLIED";
}

/** Where a plan would stand after the intent, were it allowed. */
export function destination(plan: Position, intent: Intent): Position {
  if (intent.command === "ADVANCE_PLAN") return { phase: intent.to, state: entryState(intent.to) };
  if (isStateCommand(intent.command)) {
    const targets = Object.values(STATE_MOVES[intent.command]).filter((state) => state !== null);
    return { phase: plan.phase, state: targets[0] ?? plan.state };
  }
  return { phase: plan.phase, state: plan.state };
}

/** Every reason why the tables do not allow the intent now; none: it is allowed. */
export function blockers(plan: Guarded, intent: Intent): readonly Blocker[] {
  if (intent.command === "ADVANCE_PLAN") return moveBlockers(plan, intent.to, intent.workflowDigest ?? null);
  if (isStateCommand(intent.command)) return stateBlockers(plan, intent.command);
  return recordBlockers(plan, intent.command);
}

/** "EXECUTE/QUEUED": how messages name a position. */
export function describePosition({ phase, state }: Position): string {
  return `${phase}/${state}`;
}

function entryState(phase: PlanPhase): PlanState {
  const entry = Object.values(PHASE_MOVES).find((move) => move?.to === phase);
  return entry?.entersAs ?? "QUEUED";
}

function isStateCommand(command: PlanCommandName): command is StateCommand {
  return command in STATE_MOVES;
}

function moveBlockers(plan: Guarded, to: PlanPhase, workflowDigest: string | null): readonly Blocker[] {
  const found: Blocker[] = [];
  if (isFinal(plan)) found.push(finalBlocker(plan));
  if (to === plan.phase) {
    found.push(blocker("ALREADY_THERE", `The plan is in ${to} already.`));
  } else if (!canTransition(plan.phase, to)) {
    const distance = PLAN_PHASES.indexOf(to) - PLAN_PHASES.indexOf(plan.phase);
    const why = distance < 0 ? "plans never go back" : "phases are never skipped";
    found.push(blocker("PHASE_ORDER", `${to} does not follow ${plan.phase}: ${why}.`));
  }
  if (plan.state !== "COMPLETE" && !isFinal(plan)) {
    found.push(
      blocker("PHASE_NOT_COMPLETE", `${plan.phase} is ${plan.state}; the next phase needs it COMPLETE.`),
    );
  }
  if (workflowDigest !== null && workflowDigest !== plan.workflow?.digest) {
    const now = plan.workflow === null ? "none is frozen" : `it has revision ${plan.workflow.revision} now`;
    found.push(blocker("WORKFLOW_CHANGED", `The plan's workflow is not the one that was looked at: ${now}.`));
  }
  return found;
}

function stateBlockers(plan: Position, command: StateCommand): readonly Blocker[] {
  if (isFinal(plan)) return [finalBlocker(plan)];
  if (STATE_MOVES[command][plan.state] !== null) return [];
  const allowed = PLAN_STATES.filter((state) => STATE_MOVES[command][state] !== null);
  return [stateBlocker(plan, command, allowed)];
}

function recordBlockers(plan: Guarded, command: RecordCommand): readonly Blocker[] {
  const rule = RECORD_RULES[command];
  const found: Blocker[] = [];
  if (rule.final === "REFUSED" && isFinal(plan)) return [finalBlocker(plan)];
  if (rule.final === "REQUIRED" && !isFinal(plan)) {
    found.push(
      blocker(
        "STATE_NOT_ALLOWED",
        `The plan is ${describePosition(plan)}; ${command} needs it applied or cancelled.`,
      ),
    );
  }
  if (!rule.phases.includes(plan.phase)) {
    const allowed = rule.phases.join(" or ");
    found.push(
      blocker("PHASE_NOT_ALLOWED", `The plan is in ${plan.phase}; ${command} needs it in ${allowed}.`),
    );
  }
  if (!rule.states.includes(plan.state)) found.push(stateBlocker(plan, command, rule.states));
  if (rule.archived === "REFUSED" && plan.archivedAt !== null) {
    found.push(blocker("ALREADY_THERE", "The plan is archived already."));
  }
  if (rule.archived === "REQUIRED" && plan.archivedAt === null) {
    found.push(blocker("ALREADY_THERE", "The plan is not archived."));
  }
  return found;
}

function finalBlocker(plan: Position): Blocker {
  const how = plan.state === "CANCELLED" ? `was cancelled in ${plan.phase}` : "is applied";
  return blocker("PLAN_FINAL", `The plan ${how} (${describePosition(plan)}), which is final.`);
}

function stateBlocker(plan: Position, command: PlanCommandName, allowed: readonly PlanState[]): Blocker {
  return blocker(
    "STATE_NOT_ALLOWED",
    `${plan.phase} is ${plan.state}; ${command} needs it ${allowed.join(" or ")}.`,
  );
}

function blocker(code: BlockerCode, message: string): Blocker {
  return { code, message };
}
