/** A whole plan between exact JSON and its model: reading it, and from what was read its text and digest. */
import { createHash } from "node:crypto";
import { readValue } from "./decode.js";
import type { ExactJson } from "./exact-json.js";
import type { IssueReport } from "./issues.js";
import { CANONICAL, DIGEST } from "./json-form.js";
import type { WorkflowPlanItem } from "./model/item.js";
import { type WorkflowPlan, workflowPlan, workflowPlanItem } from "./model/plan.js";
import { renderValue } from "./render.js";
import { finish, Pace, type Work } from "./work.js";

/** The texts that follow from a plan (workflow-plan.md §8). */
export interface RenderedPlan {
  readonly canonicalText: string;
  /** SHA-256 in lower-case hex. */
  readonly digest: string;
}

/** The plan that the value holds; undefined when the report has an issue. */
export function* readPlan(value: ExactJson, report: IssueReport): Work<WorkflowPlan | undefined> {
  const read = yield* readValue(workflowPlan, value, { report, pace: new Pace(), plan: value });
  if (report.issues.length > 0) return undefined;
  const plan = read as WorkflowPlan;
  refuseMuchInherited(plan, report);
  return report.issues.length > 0 ? undefined : plan;
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

/** What the plan's agent may come to when each item inherits it: a small document must not become a huge one. */
const INHERITED_LIMIT = 16 * 1024 * 1024;

function refuseMuchInherited({ agent, items }: WorkflowPlan, report: IssueReport): void {
  const heirs = items.filter((item) => item.requested_agent === agent).length;
  if (agent.length * heirs > INHERITED_LIMIT) {
    report.refuse(
      "TOO_LARGE",
      `Must be shorter: ${heirs} items inherit it, each with a copy of its own.`,
      "agent",
    );
  }
}
