/** A whole plan between exact JSON and its model: reading it, and from what was read its text and digest. */
import { createHash } from "node:crypto";
import { readValue } from "./decode.js";
import type { ExactJson } from "./exact-json.js";
import type { IssueReport } from "./issues.js";
import { CANONICAL, DIGEST } from "./json-form.js";
import type { WorkflowPlanItem } from "./model/item.js";
import { type SeenPlan, type WorkflowPlan, workflowPlan, workflowPlanItem } from "./model/plan.js";
import { renderValue } from "./render.js";
import { finish, Pace, type Work } from "./work.js";

/** The texts that follow from a plan (workflow-plan.md §8). */
export interface RenderedPlan {
  readonly canonicalText: string;
  /** SHA-256 in lower-case hex. */
  readonly digest: string;
}

/** The plan that the value holds, as far as it can be read; undefined if it is none at all. */
export function* readPlan(value: ExactJson, report: IssueReport): Work<SeenPlan | undefined> {
  const read = yield* readValue(workflowPlan, value, { report, pace: new Pace(), plan: value });
  return read as SeenPlan | undefined;
}

/** The plan that was read with the report; undefined when the report has an issue. */
export function wholePlan(seen: SeenPlan | undefined, report: IssueReport): WorkflowPlan | undefined {
  return report.issues.length === 0 ? (seen as WorkflowPlan | undefined) : undefined;
}

/** Writes a plan. */
export function* renderPlan(plan: WorkflowPlan): Work<RenderedPlan> {
  const pace = new Pace();
  const canonicalText = yield* renderValue(workflowPlan, plan, CANONICAL, pace);
  const digestText = yield* renderValue(workflowPlan, plan, DIGEST, pace);
  const hash = createHash("sha256");
  for (let at = 0; at < digestText.length; at += CHARS_PER_PIECE) {
    hash.update(digestText.slice(at, at + CHARS_PER_PIECE));
    yield;
  }
  return { canonicalText, digest: hash.digest("hex") };
}

/** The canonical text of one item. */
export function renderItem(item: WorkflowPlanItem): string {
  return finish(renderValue(workflowPlanItem, item, CANONICAL, new Pace()));
}

const CHARS_PER_PIECE = 1024 * 1024;
