/**
 * A whole plan between exact JSON and its model, a few items at a time: reading it, and from what was read the
 * canonical text and the digest.
 */
import { createHash, type Hash } from "node:crypto";
import { type Reading, readField, readValue, settleObject } from "./decode.js";
import { encodeValue, isWritten } from "./encode.js";
import { type ExactJson, type ExactList, isExactList, isExactObject, nameOfValue } from "./exact-json.js";
import type { IssueReport } from "./issues.js";
import { canonicalJson, digestJson, sortedByCodePoint } from "./json-form.js";
import type { WorkflowPlanItem } from "./model/item.js";
import { type WorkflowPlan, workflowPlan, workflowPlanItem } from "./model/plan.js";
import type { Work } from "./work.js";

export const ITEM_LIMIT = 10_000;

/** What the canonical text may grow to; defaults that each item repeats count. */
export const CANONICAL_LIMIT = 32 * 1024 * 1024;

const ITEMS_PER_PIECE = 16;

/** The plan that the value holds; undefined when the report has an issue. */
export function* readPlan(value: ExactJson, report: IssueReport): Work<WorkflowPlan | undefined> {
  if (!isExactObject(value)) {
    report.refuse("WRONG_TYPE", `Must be an object, not ${nameOfValue(value)}.`);
    return undefined;
  }
  const reading: Reading = { report, planAgent: "" };
  const read: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(workflowPlan.fields)) {
    const items = key === "items" ? value.get(key) : undefined;
    if (items !== undefined && isExactList(items)) {
      reading.planAgent = typeof read.agent === "string" ? read.agent : "";
      read.items = yield* readItems(items, reading);
    } else {
      read[key] = readField(key, field, value, reading);
    }
  }
  settleObject(workflowPlan, read, value, reading);
  return report.issues.length === 0 ? (read as WorkflowPlan) : undefined;
}

/** The texts that follow from a plan (workflow-plan.md §8). */
export interface RenderedPlan {
  readonly canonicalText: string;
  /** SHA-256 in lower-case hex. */
  readonly digest: string;
}

/** Writes a plan; undefined, with the issue in the report, when the canonical text would grow beyond its limit. */
export function* renderPlan(plan: WorkflowPlan, report: IssueReport): Work<RenderedPlan | undefined> {
  const hash = createHash("sha256");
  const members = new Map<string, string>();
  const fields = Object.entries(workflowPlan.fields).filter(([key, field]) => isWritten(field, key, plan));
  for (const key of sortedByCodePoint(fields.map(([key]) => key))) {
    hash.update(`${members.size === 0 ? "{" : ","}${digestJson(key)}:`);
    const member = key === "items" ? yield* renderItems(plan.items, hash) : renderMember(plan, key, hash);
    if (member === undefined) {
      report.refuse(
        "TOO_LARGE",
        `Must not grow beyond ${CANONICAL_LIMIT} characters once each item has its defaults.`,
      );
      return undefined;
    }
    members.set(key, `${canonicalJson(key)}:${member}`);
  }
  hash.update("}");
  const canonicalText = `{${fields.map(([key]) => members.get(key)).join(",")}}`;
  return { canonicalText, digest: hash.digest("hex") };
}

/** The canonical text of one item. */
export function renderItem(item: WorkflowPlanItem): string {
  return canonicalJson(encodeValue(workflowPlanItem, item));
}

function* readItems(items: ExactList, reading: Reading): Work<unknown> {
  const { report } = reading;
  if (items.length > ITEM_LIMIT) {
    report.refuse("TOO_MANY_ITEMS", `Must have at most ${ITEM_LIMIT} entries, not ${items.length}.`, "items");
    return undefined;
  }
  const read: unknown[] = [];
  report.enter("items");
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_PER_PIECE === ITEMS_PER_PIECE - 1) yield;
    report.enter(index);
    read.push(readValue(workflowPlanItem, item, reading));
    report.leave();
    if (report.isFull) break;
  }
  report.leave();
  return read;
}

function renderMember(plan: WorkflowPlan, key: string, hash: Hash): string {
  const field = workflowPlan.fields[key as keyof WorkflowPlan];
  const encoded = encodeValue(field.shape, plan[key as keyof WorkflowPlan]);
  hash.update(digestJson(encoded));
  return canonicalJson(encoded);
}

function* renderItems(items: WorkflowPlan["items"], hash: Hash): Work<string | undefined> {
  const texts: string[] = [];
  let size = 0;
  hash.update("[");
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_PER_PIECE === ITEMS_PER_PIECE - 1) yield;
    const encoded = encodeValue(workflowPlanItem, item);
    hash.update(`${index === 0 ? "" : ","}${digestJson(encoded)}`);
    const text = canonicalJson(encoded);
    size += text.length;
    if (size > CANONICAL_LIMIT) return undefined;
    texts.push(text);
  }
  hash.update("]");
  return `[${texts.join(",")}]`;
}
