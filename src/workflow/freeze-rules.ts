/**
 * What freezing a plan demands beyond the format (workflow-plan.md §2, §8): it must be one that can be carried
 * out and stored. Cycles are found in dependency-cycle.ts.
 */
import { refuseDependencyCycles } from "./dependency-cycle.js";
import { clip } from "./exact-json.js";
import { IssueReport, type WorkflowIssue } from "./issues.js";
import type { WorkflowPlanItem } from "./model/item.js";
import type { WorkflowPlan } from "./model/plan.js";
import { Pace, type Work } from "./work.js";

/** All that stands against freezing the plan; its canonical text tells whether a closer look at texts is due. */
export function* freezeIssuesOf(plan: WorkflowPlan, canonicalText: string): Work<WorkflowIssue[]> {
  const report = new IssueReport();
  const isSuspect = yield* mayBeUnstorable(canonicalText);
  const indexOf = new Map<string, number>();
  for (const [index, item] of plan.items.entries()) if (!indexOf.has(item.id)) indexOf.set(item.id, index);

  const { items, ...head } = plan;
  const pace = new Pace();
  if (isSuspect) yield* refuseUnstorable(head, report, pace);
  report.enter("items");
  for (const [index, item] of items.entries()) {
    if (pace.isDue()) yield;
    report.enter(index);
    refuseSecondId(item, index, indexOf, report);
    refuseOtherPosition(item, index, report);
    refuseUnknownReferences(item, indexOf, report);
    refuseDerivedChecks(item, report);
    if (isSuspect) yield* refuseUnstorable(item, report, pace);
    report.leave();
    if (report.isFull) break;
  }
  yield* refuseDependencyCycles(items, indexOf, report);
  report.leave();
  return report.issues;
}

function refuseSecondId(
  { id }: WorkflowPlanItem,
  index: number,
  indexOf: ReadonlyMap<string, number>,
  report: IssueReport,
): void {
  const first = indexOf.get(id);
  if (first !== undefined && first !== index) {
    report.refuse(
      "DUPLICATE_ID",
      `Must differ from the id of item ${first}, which is ${named(id)} too.`,
      "id",
    );
  }
}

function refuseOtherPosition({ position }: WorkflowPlanItem, index: number, report: IssueReport): void {
  if (position !== index + 1) {
    report.refuse(
      "POSITION_GAP",
      `Must be ${index + 1}, not ${clip(String(position))}: positions count the items from 1.`,
      "position",
    );
  }
}

function refuseUnknownReferences(
  item: WorkflowPlanItem,
  indexOf: ReadonlyMap<string, number>,
  report: IssueReport,
): void {
  const refuseUnknown = (id: string, ...below: (string | number)[]) => {
    if (indexOf.has(id) || report.isFull) return;
    report.refuse(
      "UNKNOWN_ITEM",
      `Must be the id of an item of the plan; there is no ${named(id)}.`,
      ...below,
    );
  };
  for (const [index, id] of item.dependencies.entries()) refuseUnknown(id, "dependencies", index);
  if (item.artifact_dependency !== null) refuseUnknown(item.artifact_dependency, "artifact_dependency");
  if (item.verifies !== null) refuseUnknown(item.verifies.item_id, "verifies", "item_id");
}

function refuseDerivedChecks({ checks }: WorkflowPlanItem, report: IssueReport): void {
  for (const [index, { source }] of checks.entries()) {
    if (source === "derived") {
      report.refuse(
        "DERIVED_CHECK",
        "Must be rule or hook; derived checks come into being when their step begins.",
        "checks",
        index,
        "source",
      );
    }
  }
}

/** False when there is surely nothing; a pair that a piece cuts apart, or an escaped backslash, gives true. */
function* mayBeUnstorable(canonicalText: string): Work<boolean> {
  if (canonicalText.includes("\\u0000")) return true;
  for (let at = 0; at < canonicalText.length; at += CHARS_PER_PIECE) {
    if (UNSTORABLE.test(canonicalText.slice(at, at + CHARS_PER_PIECE))) return true;
    yield;
  }
  return false;
}

/** Looks at every string inside a value, keys included. */
function* refuseUnstorable(value: unknown, report: IssueReport, pace: Pace): Work<void> {
  if (typeof value === "string") refuseUnstorableText(value, report);
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of entriesOf(value)) {
    if (pace.isDue()) yield;
    report.enter(key);
    if (typeof key === "string") refuseUnstorableText(key, report);
    if (typeof inner === "string") refuseUnstorableText(inner, report);
    else if (typeof inner === "object" && inner !== null) yield* refuseUnstorable(inner, report, pace);
    report.leave();
  }
}

function refuseUnstorableText(text: string, report: IssueReport): void {
  if (UNSTORABLE.test(text)) {
    report.refuse(
      "NOT_STORABLE",
      "Must not hold U+0000 or half a surrogate pair; the database can't hold them.",
    );
  }
}

function entriesOf(value: object): Iterable<[string | number, unknown]> {
  return Array.isArray(value) || value instanceof Map ? value.entries() : Object.entries(value);
}

const CHARS_PER_PIECE = 1024 * 1024;
const UNSTORABLE = /[\0\p{Surrogate}]/u;

function named(id: string): string {
  return JSON.stringify(clip(id));
}
