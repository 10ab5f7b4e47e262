/**
 * Validates documents that hold a workflow plan: from the text or JSON value as received to all that is known
 * about it. It stores nothing and knows no plan to freeze it on.
 */
import { type ExactJson, type ExactObject, isExactList, isExactObject } from "./exact-json.js";
import { freezeIssuesOf } from "./freeze-rules.js";
import { IssueReport, type WorkflowIssue } from "./issues.js";
import { readJsonText } from "./json-text.js";
import type { WorkflowPlan } from "./model/plan.js";
import { numberStepPaths } from "./numbering.js";
import { exactFromPlain } from "./plain-json.js";
import { type RenderedPlan, readPlan, renderPlan, wholePlan } from "./plan-codec.js";
import type { Work } from "./work.js";

/** How long a document may be, in UTF-8 bytes. */
export const DOCUMENT_LIMIT = 3 * 1024 * 1024;

/**
 * How many values a document may have, those in lists and objects counted one by one: 40 for each of as many items
 * as there may be. The work of a document goes by its values: a text of as many bytes can hold a million.
 */
export const VALUE_LIMIT = 400_000;

/** A document as received. Only its text keeps the order of all keys and `1.0` apart from `1`. */
export type WorkflowPlanDocument = { readonly text: string } | { readonly json: unknown };

/** A plan with the texts that follow from it. */
export interface CheckedPlan extends RenderedPlan {
  readonly plan: WorkflowPlan;
}

/** What is known about a document. */
export interface WorkflowPlanCheck {
  /** All that the format refuses; empty when the document is valid. */
  readonly issues: readonly WorkflowIssue[];
  /** What freezing would refuse besides, as far as no issue hides it. */
  readonly freezeIssues: readonly WorkflowIssue[];
  /** The plan of a valid document. */
  readonly workflowPlan: CheckedPlan | null;
}

/** Checks a document by the format and by what freezing adds. */
export function checkDocument(document: WorkflowPlanDocument): Work<WorkflowPlanCheck> {
  return check(document, "as given");
}

/**
 * The same for the document with its step ordinals numbered anew (workflow-plan.md §7). Ordinals that it has
 * are not looked at, so a document whose only fault they are is valid here.
 */
export function checkRenumbered(document: WorkflowPlanDocument): Work<WorkflowPlanCheck> {
  return check(document, "anew");
}

/**
 * The plan of a frozen text, exactly as it was frozen; a text that does not give the same text and digest
 * again was tampered with, which is an error and no refusal.
 */
export function* openFrozen({ canonicalText, digest }: RenderedPlan): Work<WorkflowPlan> {
  const report = new IssueReport();
  const value = yield* readJsonText(canonicalText, report);
  const plan = value === undefined ? undefined : wholePlan(yield* readPlan(value, report), report);
  const rendered = plan && (yield* renderPlan(plan));
  if (plan === undefined || rendered?.canonicalText !== canonicalText || rendered.digest !== digest) {
    throw new Error(`The frozen workflow plan ${digest} is not what was frozen`);
  }
  return plan;
}

function* check(document: WorkflowPlanDocument, ordinals: "as given" | "anew"): Work<WorkflowPlanCheck> {
  const report = new IssueReport();
  const received = yield* receive(document, report);
  const value = received !== undefined && ordinals === "anew" ? withoutOrdinals(received) : received;
  const seen = value === undefined ? undefined : yield* readPlan(value, report);
  const freezeIssues = value === undefined || seen === undefined ? [] : yield* freezeIssuesOf(seen, value);
  const read = wholePlan(seen, report);
  const plan = read && ordinals === "anew" ? yield* renumbered(read) : read;
  return {
    issues: report.issues,
    freezeIssues,
    workflowPlan: plan ? { plan, ...(yield* renderPlan(plan)) } : null,
  };
}

function* receive(document: WorkflowPlanDocument, report: IssueReport): Work<ExactJson | undefined> {
  if (!("text" in document))
    return yield* exactFromPlain(document.json, { bytes: DOCUMENT_LIMIT, values: VALUE_LIMIT }, report);
  const size = Buffer.byteLength(document.text);
  if (size <= DOCUMENT_LIMIT) return yield* readJsonText(document.text, report, VALUE_LIMIT);
  report.refuse("TOO_LARGE", `Must be at most ${DOCUMENT_LIMIT} bytes, not ${size}.`);
  return undefined;
}

function withoutOrdinals(value: ExactJson): ExactJson {
  if (!isExactObject(value)) return value;
  const items = value.get("items");
  if (items === undefined || !isExactList(items)) return value;
  return new Map(value).set(
    "items",
    items.map((item) => (isExactObject(item) ? without(item, "step_ordinals") : item)),
  );
}

function without(object: ExactObject, key: string): ExactObject {
  const rest = new Map(object);
  rest.delete(key);
  return rest;
}

function* renumbered(plan: WorkflowPlan): Work<WorkflowPlan> {
  const ordinals = yield* numberStepPaths(plan.items);
  return {
    ...plan,
    items: plan.items.map((item, index) => ({ ...item, step_ordinals: ordinals[index] ?? [] })),
  };
}
