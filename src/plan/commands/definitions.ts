/**
 * What each command on an existing plan asks of the tables, and the change that it makes of its input. The input
 * has been checked by its schema; here it is brought into the form that is stored.
 */

import type { Change } from "../changes.js";
import * as changes from "../changes.js";
import { parseUlid } from "../identifiers.js";
import { INVARIANTS_LIMIT, type InputOf } from "../inputs.js";
import type { Intent, PlanCommandName } from "../lifecycle.js";
import type { Instant, Invariant, Plan, Ulid } from "../plan.js";
import type { InputIssue } from "../refusals.js";

export interface CommandDefinition<Input> {
  intent(input: Input): Intent;
  /** Faults of the input that only show beside the plan. */
  issues?(plan: Plan, input: Input): readonly InputIssue[];
  change(plan: Plan, input: Input, at: Instant, newUlid: () => Ulid): Change;
}

export const DEFINITIONS: { readonly [Name in PlanCommandName]: CommandDefinition<InputOf[Name]> } = {
  ADVANCE_PLAN: {
    intent: ({ to }) => ({ command: "ADVANCE_PLAN", to }),
    change: (plan, { to, note }, at) => changes.advance(plan, to, at, { note }),
  },
  START_PHASE: {
    intent: () => ({ command: "START_PHASE" }),
    change: (plan, _, at) => changes.start(plan, at),
  },
  COMPLETE_PHASE: {
    intent: () => ({ command: "COMPLETE_PHASE" }),
    change: (plan, input, at) => changes.complete(plan, artifactsOf(input), input.note ?? null, at),
  },
  FAIL_PHASE: {
    intent: () => ({ command: "FAIL_PHASE" }),
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
    change: (plan, input, at) => changes.recordArtifacts(plan, artifactsOf(input), at),
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
