/** The domain's words as GraphQL enums. Each value is described once, here; a value without its line does not compile. */
import { builder } from "../../graphql/builder.js";
import { WORKFLOW_ISSUE_CODES } from "../../workflow/issues.js";
import type { PlanEventType } from "../event.js";
import type { PlanCommandName } from "../lifecycle.js";
import type { AutomationLevel, InvariantScope, PlanPhase, PlanState } from "../plan.js";
import type { PlanOrder, PlanOrderField } from "../reading.js";
import type { BlockerCode, InputIssue, RefusalCode } from "../refusals.js";

type Described<Value extends string> = { readonly [Name in Value]: string };

function describedEnum<Value extends string>(name: string, description: string, values: Described<Value>) {
  const entries = Object.entries<string>(values).map(([value, text]) => [
    value,
    { value, description: text },
  ]);
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(entries) as { [Name in Value]: { value: Name; description: string } },
  });
}

export const PlanPhaseEnum = describedEnum<PlanPhase>(
  "PlanPhase",
  "The phases of a plan, in their strict order: none is skipped, and none is entered twice.",
  {
    STRATEGIZE: "The execution strategy is produced.",
    EXECUTE: "The planned changes are carried out, in a sandbox.",
    APPLY: "The change set is applied to the target projects.",
    APPLIED: "The plan is done; nothing of its lifecycle can happen any more.",
  },
);

export const PlanStateEnum = describedEnum<PlanState>("PlanState", "How a plan stands in its phase.", {
  QUEUED: "It waits for somebody to start the phase.",
  PROCESSING: "Somebody is carrying out the phase.",
  ERRORED: "The phase failed; the plan says why, and can be retried or cancelled.",
  COMPLETE: "The phase finished; the plan may move to the next one.",
  CANCELLED: "The plan was given up in this phase, for good.",
});

export const PhaseStatusEnum = describedEnum<PlanState | "NOT_STARTED">(
  "PhaseStatus",
  "How far one phase of a plan got.",
  {
    NOT_STARTED: "The plan has not entered this phase.",
    QUEUED: "It waits for somebody to start it.",
    PROCESSING: "Somebody is carrying it out.",
    ERRORED: "It failed and was not retried yet.",
    COMPLETE: "It finished.",
    CANCELLED: "The plan was cancelled in it.",
  },
);

export const AutomationLevelEnum = describedEnum<AutomationLevel>(
  "AutomationLevel",
  "How far a plan goes on by itself when a phase completes.",
  {
    MANUAL: "It waits for a command after every phase.",
    REVIEW_BEFORE_APPLY: "It goes on by itself, except from EXECUTE to APPLY, where it waits for a review.",
    FULL_AUTOMATION: "It goes on by itself after every phase.",
  },
);

export const InvariantScopeEnum = describedEnum<InvariantScope>(
  "InvariantScope",
  "Where an invariant comes from; the first of these tiers takes precedence over the later ones.",
  {
    PLAN: "Given for this plan.",
    ACTION: "Comes with the action that the plan was made from.",
    PROJECT: "Holds in one of the plan's projects.",
    GLOBAL: "Holds on the whole server.",
  },
);

export const PlanCommandEnum = describedEnum<PlanCommandName>(
  "PlanCommand",
  "The commands on a plan that exists; each is a mutation of the same name.",
  {
    ADVANCE_PLAN: "`advancePlan`: move into the next phase.",
    START_PHASE: "`startPhase`: begin to carry out the phase.",
    COMPLETE_PHASE: "`completePhase`: report that the phase finished.",
    FAIL_PHASE: "`failPhase`: report an error of the phase.",
    RETRY_PHASE: "`retryPhase`: queue a failed phase again.",
    CANCEL_PLAN: "`cancelPlan`: give the plan up.",
    ADD_INVARIANT: "`addInvariant`: bind the plan to one more invariant.",
    RECORD_ARTIFACTS: "`recordArtifacts`: record what the phase has made.",
    FREEZE_WORKFLOW_PLAN: "`freezeWorkflowPlan`: freeze the workflow plan that is to be carried out.",
    SET_TAGS: "`setTags`: replace the tags.",
    ARCHIVE_PLAN: "`archivePlan`: put a final plan out of sight.",
    UNARCHIVE_PLAN: "`unarchivePlan`: bring an archived plan back.",
  },
);

export const PlanEventTypeEnum = describedEnum<PlanEventType>(
  "PlanEventType",
  "What happened to a plan; each change is one event.",
  {
    PLAN_CREATED: "The plan was made.",
    PHASE_STARTED: "Somebody began to carry out the phase.",
    PHASE_COMPLETED: "The phase finished.",
    PHASE_FAILED: "The phase reported an error.",
    PHASE_RETRIED: "The failed phase was queued again.",
    PHASE_ADVANCED: "The plan moved into the next phase.",
    PLAN_APPLIED: "The plan moved into APPLIED: it is done.",
    PLAN_CANCELLED: "The plan was given up.",
    ARTIFACTS_RECORDED: "Something that the phase made was recorded.",
    WORKFLOW_FROZEN:
      "A workflow plan was frozen on the plan; the event's data has its `revision` and its `digest`.",
    INVARIANT_ADDED: "The plan was bound to one more invariant.",
    TAGS_CHANGED: "The tags were replaced.",
    PLAN_ARCHIVED: "The plan was put out of sight.",
    PLAN_UNARCHIVED: "The plan was brought back.",
  },
);

export const PlanOrderFieldEnum = describedEnum<PlanOrderField>(
  "PlanOrderField",
  "What plans can be ordered by.",
  {
    CREATED_AT: "When they were made.",
    UPDATED_AT: "When they last changed.",
    NAME: "Their name, by code point.",
    PHASE: "Their phase, in the order of the lifecycle.",
    STATE: "Their state, in the order QUEUED, PROCESSING, ERRORED, COMPLETE, CANCELLED.",
  },
);

export const OrderDirectionEnum = describedEnum<PlanOrder["direction"]>(
  "OrderDirection",
  "Which end comes first.",
  {
    ASC: "The smallest, earliest or first one.",
    DESC: "The largest, latest or last one.",
  },
);

export const RefusalCodeEnum = describedEnum<RefusalCode>("RefusalCode", "Why a command did not happen.", {
  NOT_FOUND: "There is no such plan.",
  INVALID_INPUT: "The input breaks rules; all of them are listed.",
  TRANSITION_REJECTED: "The lifecycle does not allow it now; every reason is listed.",
  VERSION_CONFLICT: "The plan has another version than the one expected.",
  IDEMPOTENCY_CONFLICT: "The idempotency key was used with something else.",
});

export const BlockerCodeEnum = describedEnum<BlockerCode>(
  "BlockerCode",
  "A reason why a command is not allowed now.",
  {
    PLAN_FINAL: "The plan is applied or cancelled.",
    PHASE_ORDER: "The target does not follow the plan's phase: it skips one or goes back.",
    ALREADY_THERE: "The plan is where the command would bring it.",
    PHASE_NOT_COMPLETE: "The plan's phase has to be COMPLETE first.",
    PHASE_NOT_ALLOWED: "The command is not for the plan's phase.",
    STATE_NOT_ALLOWED: "The command is not for the plan's state.",
    WORKFLOW_CHANGED: "The move is bound to another workflow plan than the one that is frozen.",
  },
);

export const IssueCodeEnum = describedEnum<InputIssue["code"]>(
  "InputIssueCode",
  "How an input or a workflow plan breaks a rule.",
  {
    ...WORKFLOW_ISSUE_CODES,
    WRONG_TYPE: "It is missing, or not of the kind that belongs there.",
    MALFORMED: "It is not written in the form that belongs there.",
    BLANK: "There is nothing in it to be seen.",
    TOO_LONG: "The text has too many code points.",
    TOO_MANY:
      "There are too many: items of a list, filters in a filter, or what a plan has with what was recorded before.",
    TOO_FEW: "There are too few: items of a list, arguments in their order, or artifacts to record.",
    TOO_LARGE:
      "The JSON value, also with what it is merged with, is too large or too deep, or the document is too large.",
    OUT_OF_RANGE: "The number is outside of its range, or larger than a number can be.",
    DUPLICATE: "An item before it is, or names, the same.",
    NOT_STORABLE: "The text, or the key, holds U+0000 or a lone surrogate.",
    NOT_ALLOWED: "It is not allowed beside the rest of the input.",
  },
);
