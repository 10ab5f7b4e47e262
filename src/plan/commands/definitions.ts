/**
 * What each command on an existing plan asks of the tables, and the change that it makes of its input. The input
 * has been checked by its schema; here it is brought into the form that is stored.
 */

import type { Change } from "../changes.js";
import * as changes from "../changes.js";
import { parseUlid } from "../identifiers.js";
import { INVARIANTS_LIMIT, type InputOf, SANDBOX_REFS_LIMIT } from "../inputs.js";
import { JSON_SIZE_LIMIT, jsonSize } from "../json.js";
import type { Intent, PlanCommandName } from "../lifecycle.js";
import type { Instant, Invariant, JsonObject, Plan, Ulid } from "../plan.js";
import type { InputIssue } from "../refusals.js";

/** What every input has. */
export interface Repeatable {
  readonly idempotencyKey?: string | null;
  readonly dryRun?: boolean | null;
}

export interface CommandDefinition<Input extends Repeatable> {
  intent(input: Input): Intent;
  /** Faults of the input that only show beside the plan. */
  issues?(plan: Plan, input: Input): readonly InputIssue[];
  /** Whether the plan is already as the command would make it: then it succeeds, and nothing is written. */
  isMet?(plan: Plan, input: Input): boolean;
  change(plan: Plan, input: Input, at: Instant, newUlid: () => Ulid): Change;
  /** What of the input makes a repeat of the command the same; all of it unless said. */
  essence?(input: Input): Repeatable;
  /** Whether what it writes may be so much that other commands should not wait for it. */
  readonly isLarge?: boolean;
}

export const DEFINITIONS: { readonly [Name in PlanCommandName]: CommandDefinition<InputOf[Name]> } = {
  ADVANCE_PLAN: {
    intent: ({ to, workflowDigest }) => ({ command: "ADVANCE_PLAN", to, workflowDigest }),
    change: (plan, { to, note }, at) => changes.advance(plan, to, at, { note }),
  },
  START_PHASE: {
    intent: () => ({ command: "START_PHASE" }),
    change: (plan, _, at) => changes.start(plan, at),
  },
  COMPLETE_PHASE: {
    intent: () => ({ command: "COMPLETE_PHASE" }),
    issues: artifactIssues,
    change: (plan, input, at) => changes.complete(plan, artifactsOf(input), input.note ?? null, at),
  },
  FAIL_PHASE: {
    intent: () => ({ command: "FAIL_PHASE" }),
    issues: (plan, { details }) => mergeIssues("details", plan.errorDetails, details),
    change: (plan, { message, details }, at) => changes.fail(plan, message, details ?? null, at),
  },
  RETRY_PHASE: {
    intent: () => ({ command: "RETRY_PHASE" }),
    change: (plan, _, at) => changes.retry(plan, at),
  },
  CANCEL_PLAN: {
    intent: () => ({ command: "CANCEL_PLAN" }),
    change: (plan, { reason }, at) => changes.cancel(plan, reason ?? null, at),
  },
  ADD_INVARIANT: {
    intent: () => ({ command: "ADD_INVARIANT" }),
    issues: (plan) =>
      plan.invariants.length < INVARIANTS_LIMIT
        ? []
        : [
            {
              path: "invariant",
              code: "TOO_MANY",
              message: `A plan has at most ${INVARIANTS_LIMIT} invariants.`,
            },
          ],
    change: (plan, { invariant }, at, newUlid) =>
      changes.addInvariant(plan, invariantOf(invariant, newUlid), at),
  },
  RECORD_ARTIFACTS: {
    intent: () => ({ command: "RECORD_ARTIFACTS" }),
    issues: artifactIssues,
    change: (plan, input, at) => changes.recordArtifacts(plan, artifactsOf(input), at),
  },
  FREEZE_WORKFLOW_PLAN: {
    isLarge: true,
    intent: () => ({ command: "FREEZE_WORKFLOW_PLAN" }),
    isMet: (plan, { document }) => plan.workflow?.digest === document.digest,
    change: (plan, { document }, at) => changes.freezeWorkflow(plan, document, at),
    essence: ({ document, ...input }) => ({ ...input, document: document.digest }),
  },
  SET_TAGS: {
    intent: () => ({ command: "SET_TAGS" }),
    change: (plan, { tags }, at) => changes.setTags(plan, [...new Set(tags)], at),
  },
  ARCHIVE_PLAN: {
    intent: () => ({ command: "ARCHIVE_PLAN" }),
    change: (plan, _, at) => changes.archive(plan, at),
  },
  UNARCHIVE_PLAN: {
    intent: () => ({ command: "UNARCHIVE_PLAN" }),
    change: (plan, _, at) => changes.unarchive(plan, at),
  },
};

/** An invariant as it is kept, under a new id; without a scope it is the plan's own. */
export function invariantOf(input: InputOf["ADD_INVARIANT"]["invariant"], newUlid: () => Ulid): Invariant {
  return {
    id: newUlid(),
    text: input.text,
    scope: input.scope ?? "PLAN",
    sourceName: input.sourceName ?? null,
    nonOverridable: input.nonOverridable ?? false,
  };
}

function artifactsOf({
  changesetId,
  sandboxRefs,
  validationSummary,
  estimate,
  decisionRootId,
}: changes.Artifacts): changes.Artifacts {
  return {
    changesetId,
    sandboxRefs,
    validationSummary,
    estimate,
    decisionRootId: decisionRootId == null ? null : parseUlid(decisionRootId),
  };
}

/** What is recorded bit by bit stays within the limits that hold for one input. */
function artifactIssues(plan: Plan, { sandboxRefs, validationSummary }: changes.Artifacts): InputIssue[] {
  const issues = mergeIssues("validationSummary", plan.validationSummary, validationSummary);
  if (changes.joinedRefs(plan.sandboxRefs, sandboxRefs).length > SANDBOX_REFS_LIMIT) {
    const message = `A plan has at most ${SANDBOX_REFS_LIMIT} sandbox refs, with those recorded before.`;
    issues.push({ path: "sandboxRefs", code: "TOO_MANY", message });
  }
  return issues;
}

function mergeIssues(
  path: string,
  current: JsonObject | null,
  added: JsonObject | null | undefined,
): InputIssue[] {
  const merged = changes.merged(current, added ?? null);
  if (added == null || merged === null || jsonSize(merged) <= JSON_SIZE_LIMIT) return [];
  const limit = `${JSON_SIZE_LIMIT / 1024} KiB`;
  const message = `Merged with what was reported before, it has at most ${limit} as JSON text.`;
  return [{ path, code: "TOO_LARGE", message }];
}
