/**
 * The answers of a command that did not happen. They are values, never exceptions, and each says all
 * that is wrong at once (domain.md §5).
 */
import type { WorkflowIssueCode } from "../workflow/issues.js";
import type { Plan, Position, Ulid } from "./plan.js";

export const BLOCKER_CODES = [
  "PLAN_FINAL",
  "PHASE_ORDER",
  "ALREADY_THERE",
  "PHASE_NOT_COMPLETE",
  "PHASE_NOT_ALLOWED",
  "STATE_NOT_ALLOWED",
  "WORKFLOW_CHANGED",
] as const;
export type BlockerCode = (typeof BLOCKER_CODES)[number];

/** One reason why a command is not allowed now. */
export interface Blocker {
  readonly code: BlockerCode;
  readonly message: string;
}

export const ISSUE_CODES = [
  "WRONG_TYPE",
  "MALFORMED",
  "BLANK",
  "TOO_LONG",
  "TOO_MANY",
  "TOO_FEW",
  "TOO_LARGE",
  "OUT_OF_RANGE",
  "DUPLICATE",
  "NOT_STORABLE",
  "NOT_ALLOWED",
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/**
 * One broken rule of an input; the path is relative to the input, such as `projectLinks[1].alias`. Inside of a
 * workflow plan the path and the codes of its format follow: `document$.items[3].owner`.
 */
export interface InputIssue {
  readonly path: string;
  readonly code: IssueCode | WorkflowIssueCode;
  readonly message: string;
}

export type Refusal =
  | { readonly code: "NOT_FOUND"; readonly message: string; readonly id: Ulid }
  | { readonly code: "INVALID_INPUT"; readonly message: string; readonly issues: readonly InputIssue[] }
  | {
      readonly code: "TRANSITION_REJECTED";
      readonly message: string;
      readonly from: Position;
      readonly to: Position;
      readonly blockers: readonly Blocker[];
    }
  | {
      readonly code: "VERSION_CONFLICT";
      readonly message: string;
      readonly actualVersion: number;
      readonly plan: Plan;
    }
  | { readonly code: "IDEMPOTENCY_CONFLICT"; readonly message: string; readonly plan: Plan };

export type RefusalCode = Refusal["code"];
