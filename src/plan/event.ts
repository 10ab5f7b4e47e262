/**
 * One fact of the log: what a change of a plan was, as it was written (events.md). Facts are never re-read
 * into a newer shape; what a feed filters by stands in them.
 */
import type { Instant, JsonObject, NamespacedName, PlanPhase, PlanState, Ulid } from "./plan.js";

export const PLAN_EVENT_TYPES = [
  "PLAN_CREATED",
  "PHASE_STARTED",
  "PHASE_COMPLETED",
  "PHASE_FAILED",
  "PHASE_RETRIED",
  "PHASE_ADVANCED",
  "PLAN_APPLIED",
  "PLAN_CANCELLED",
  "ARTIFACTS_RECORDED",
  "WORKFLOW_FROZEN",
  "INVARIANT_ADDED",
  "TAGS_CHANGED",
  "PLAN_ARCHIVED",
  "PLAN_UNARCHIVED",
] as const;
export type PlanEventType = (typeof PLAN_EVENT_TYPES)[number];

/** Where a plan stood on one side of an event, with its tags then. */
export interface EventSide {
  readonly phase: PlanPhase;
  readonly state: PlanState;
  readonly tags: readonly string[];
}

export interface PlanEvent {
  /** The place in the log: from 1, without a gap. */
  readonly seq: bigint;
  readonly planId: Ulid;
  /** The n-th event of a plan carries n. */
  readonly planVersion: number;
  readonly type: PlanEventType;
  readonly at: Instant;
  readonly actor: NamespacedName;
  /** Whether the server made the move by itself, by the plan's automation. */
  readonly automatic: boolean;
  /** What happened, beyond from and to: a reason, an error, what was recorded. */
  readonly data: JsonObject;
  readonly rootPlanId: Ulid;
  readonly actionName: NamespacedName;
  readonly projectNames: readonly NamespacedName[];
  /** Null at the creation. */
  readonly from: EventSide | null;
  readonly to: EventSide;
}
