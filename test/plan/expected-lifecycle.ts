/**
 * The lifecycle of domain.md §1 written out once more, by hand and without a look at the tables of the server:
 * what each command must answer on a plan in each position.
 */
import type { PlanPhase, PlanState, Position } from "../../src/plan/plan.js";

/** Where the command leads, or the codes of all that keeps it from happening. */
export type Verdict = { readonly leadsTo: Position } | { readonly blockedBy: readonly string[] };

/** A command as somebody may try it. */
export interface Attempt {
  readonly mutation: string;
  readonly command: string;
  /** What its input needs besides the plan. */
  readonly input: { readonly to?: PlanPhase; readonly [field: string]: unknown };
}

const PHASES: readonly PlanPhase[] = ["STRATEGIZE", "EXECUTE", "APPLY", "APPLIED"];
const STATES: readonly PlanState[] = ["QUEUED", "PROCESSING", "ERRORED", "COMPLETE", "CANCELLED"];

/** All positions that a plan can be in: APPLIED is entered COMPLETE, and never left. */
export const POSITIONS: readonly Position[] = [
  ...PHASES.slice(0, 3).flatMap((phase) => STATES.map((state) => ({ phase, state }))),
  { phase: "APPLIED", state: "COMPLETE" },
];

/** Those in which nothing of the lifecycle happens any more. */
export const FINAL_POSITIONS: readonly Position[] = POSITIONS.filter(
  ({ phase, state }) => phase === "APPLIED" || state === "CANCELLED",
);

const WORKFLOW_PLAN = {
  workflow: "feature",
  workflow_description: "",
  agent: "codex",
  task_id: null,
  modes: [],
  handoff: false,
  items: [],
};

export const ATTEMPTS: readonly Attempt[] = [
  ...PHASES.map((to) => ({ mutation: "advancePlan", command: "ADVANCE_PLAN", input: { to } })),
  { mutation: "startPhase", command: "START_PHASE", input: {} },
  { mutation: "completePhase", command: "COMPLETE_PHASE", input: {} },
  { mutation: "failPhase", command: "FAIL_PHASE", input: { message: "It went wrong." } },
  { mutation: "retryPhase", command: "RETRY_PHASE", input: {} },
  { mutation: "cancelPlan", command: "CANCEL_PLAN", input: {} },
  { mutation: "addInvariant", command: "ADD_INVARIANT", input: { invariant: { text: "Tests stay green." } } },
  { mutation: "recordArtifacts", command: "RECORD_ARTIFACTS", input: { changesetId: "c1" } },
  {
    mutation: "freezeWorkflowPlan",
    command: "FREEZE_WORKFLOW_PLAN",
    input: { document: { json: WORKFLOW_PLAN } },
  },
  { mutation: "setTags", command: "SET_TAGS", input: { tags: ["urgent"] } },
  { mutation: "archivePlan", command: "ARCHIVE_PLAN", input: {} },
  { mutation: "unarchivePlan", command: "UNARCHIVE_PLAN", input: {} },
];

type Cell = PlanState | "stays" | "–" | "final" | "there";

/** One row for each command, one column for each state; the last column is APPLIED. Nothing is archived. */
const ROWS: Readonly<Record<string, readonly [Cell, Cell, Cell, Cell, Cell, Cell]>> = {
  //                QUEUED       PROCESSING   ERRORED      COMPLETE     CANCELLED  APPLIED
  startPhase: ["PROCESSING", "–", "–", "–", "final", "final"],
  completePhase: ["–", "COMPLETE", "–", "–", "final", "final"],
  failPhase: ["–", "ERRORED", "stays", "–", "final", "final"],
  retryPhase: ["–", "–", "QUEUED", "–", "final", "final"],
  cancelPlan: ["CANCELLED", "CANCELLED", "CANCELLED", "CANCELLED", "final", "final"],
  addInvariant: ["stays", "stays", "stays", "stays", "final", "final"],
  recordArtifacts: ["–", "stays", "–", "stays", "final", "final"],
  setTags: ["stays", "stays", "stays", "stays", "stays", "stays"],
  archivePlan: ["–", "–", "–", "–", "stays", "stays"],
  unarchivePlan: ["there", "there", "there", "there", "there", "there"],
};

/** Where a plan goes from each phase (row) when it is told to go to each phase (column). */
const MOVES: Readonly<Record<PlanPhase, Readonly<Record<PlanPhase, PlanState | "order" | "there">>>> = {
  STRATEGIZE: { STRATEGIZE: "there", EXECUTE: "QUEUED", APPLY: "order", APPLIED: "order" },
  EXECUTE: { STRATEGIZE: "order", EXECUTE: "there", APPLY: "QUEUED", APPLIED: "order" },
  APPLY: { STRATEGIZE: "order", EXECUTE: "order", APPLY: "there", APPLIED: "COMPLETE" },
  APPLIED: { STRATEGIZE: "order", EXECUTE: "order", APPLY: "order", APPLIED: "there" },
};

export function verdict(position: Position, { mutation, input }: Attempt): Verdict {
  if (mutation === "freezeWorkflowPlan") return freezeVerdict(position);
  return input.to === undefined ? stateVerdict(position, mutation) : moveVerdict(position, input.to);
}

function stateVerdict(position: Position, mutation: string): Verdict {
  const column = position.phase === "APPLIED" ? 5 : STATES.indexOf(position.state);
  const cell = ROWS[mutation]?.[column] ?? "–";
  switch (cell) {
    case "–":
      return { blockedBy: ["STATE_NOT_ALLOWED"] };
    case "final":
      return { blockedBy: ["PLAN_FINAL"] };
    case "there":
      return { blockedBy: ["ALREADY_THERE"] };
    case "stays":
      return { leadsTo: position };
    default:
      return { leadsTo: { phase: position.phase, state: cell } };
  }
}

function freezeVerdict(position: Position): Verdict {
  const { phase, state } = position;
  if (state === "CANCELLED" || phase === "APPLIED") return { blockedBy: ["PLAN_FINAL"] };
  return phase === "STRATEGIZE" ? { leadsTo: position } : { blockedBy: ["PHASE_NOT_ALLOWED"] };
}

function moveVerdict({ phase, state }: Position, to: PlanPhase): Verdict {
  const cell = MOVES[phase][to];
  const final = phase === "APPLIED" || state === "CANCELLED";
  const blockedBy: string[] = [];
  if (final) blockedBy.push("PLAN_FINAL");
  if (cell === "there") blockedBy.push("ALREADY_THERE");
  if (cell === "order") blockedBy.push("PHASE_ORDER");
  if (!final && state !== "COMPLETE") blockedBy.push("PHASE_NOT_COMPLETE");
  if (blockedBy.length > 0 || cell === "there" || cell === "order") return { blockedBy };
  return { leadsTo: { phase: to, state: cell } };
}

/** The same tables in the form in which the query `lifecycle` tells them. */
export const LIFECYCLE = {
  phases: PHASES,
  states: STATES,
  phaseMoves: [
    { from: "STRATEGIZE", to: "EXECUTE", entersAs: "QUEUED" },
    { from: "EXECUTE", to: "APPLY", entersAs: "QUEUED" },
    { from: "APPLY", to: "APPLIED", entersAs: "COMPLETE" },
  ],
  stateMoves: [
    { command: "START_PHASE", from: "QUEUED", to: "PROCESSING" },
    { command: "COMPLETE_PHASE", from: "PROCESSING", to: "COMPLETE" },
    { command: "FAIL_PHASE", from: "PROCESSING", to: "ERRORED" },
    { command: "FAIL_PHASE", from: "ERRORED", to: "ERRORED" },
    { command: "RETRY_PHASE", from: "ERRORED", to: "QUEUED" },
    { command: "CANCEL_PLAN", from: "QUEUED", to: "CANCELLED" },
    { command: "CANCEL_PLAN", from: "PROCESSING", to: "CANCELLED" },
    { command: "CANCEL_PLAN", from: "ERRORED", to: "CANCELLED" },
    { command: "CANCEL_PLAN", from: "COMPLETE", to: "CANCELLED" },
  ],
  recordRules: [
    { command: "ADD_INVARIANT", final: "REFUSED", archived: "EITHER", phases: PHASES, states: STATES },
    {
      command: "RECORD_ARTIFACTS",
      final: "REFUSED",
      archived: "EITHER",
      phases: PHASES,
      states: ["PROCESSING", "COMPLETE"],
    },
    {
      command: "FREEZE_WORKFLOW_PLAN",
      final: "REFUSED",
      archived: "EITHER",
      phases: ["STRATEGIZE"],
      states: STATES,
    },
    { command: "SET_TAGS", final: "EITHER", archived: "EITHER", phases: PHASES, states: STATES },
    { command: "ARCHIVE_PLAN", final: "REQUIRED", archived: "REFUSED", phases: PHASES, states: STATES },
    { command: "UNARCHIVE_PLAN", final: "EITHER", archived: "REQUIRED", phases: PHASES, states: STATES },
  ],
};
