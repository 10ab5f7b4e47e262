/** A frozen workflow plan as a plan knows it: what is told of it without reading its text. */
import type { CheckedPlan } from "./validate.js";

export interface WorkflowRevision {
  /** Counts the plan's frozen workflow plans, from 1. */
  readonly revision: number;
  readonly digest: string;
  readonly itemCount: number;
  /** ISO 8601 in UTC, with milliseconds: the time of its event. */
  readonly frozenAt: string;
  /** The workflow plan itself where it is at hand: right after it was frozen. Otherwise it is read when asked for. */
  readonly content?: CheckedPlan;
}
