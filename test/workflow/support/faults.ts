/** Ways to spoil a valid plan in one place, each with the refusal that must come of it. */
import fc from "fast-check";
import type { WorkflowIssueCode } from "../../../src/workflow/issues.js";
import { workflowPlan, workflowPlanItem } from "../../../src/workflow/model/plan.js";
import type { ObjectShape, Shape } from "../../../src/workflow/shape.js";
import type { Json, JsonObject } from "./documents.js";

/** One spoiled document. */
export interface Spoiled {
  readonly document: Json;
  readonly path: string;
  readonly code: WorkflowIssueCode;
}

/** Random documents that are the given one with one fault. */
export function spoiled(document: JsonObject): fc.Arbitrary<Spoiled> {
  return fc.constantFrom(...spoiledMember(document, "$", workflowPlan));
}

/** Random items that are the first of the given plan with one fault; the path is the item's own. */
export function spoiledItem(
  plan: JsonObject,
): fc.Arbitrary<{ item: Json; path: string; code: WorkflowIssueCode }> {
  const [first] = plan.items as readonly JsonObject[];
  const faults = first === undefined ? [] : faultsOfItem(first);
  return fc.constantFrom(...faults.map(({ document, ...fault }) => ({ item: document, ...fault })));
}

/** All the faults that are put into one item; the paths are its own. */
export function faultsOfItem(item: JsonObject): Spoiled[] {
  return spoiledMember(item, "", workflowPlanItem);
}

function spoiledMember(object: JsonObject, path: string, shape: ObjectShape): Spoiled[] {
  return shape.entries.flatMap(({ key, field }) => {
    const at = `${path}.${key}`;
    const replaced = (value: Json, code: WorkflowIssueCode): Spoiled => ({
      document: { ...object, [key]: value },
      path: at,
      code,
    });
    const faults = [replaced(wrongTypeFor(field.shape), "WRONG_TYPE")];
    if (field.absent.is === "refused")
      faults.push({ document: without(object, key), path: at, code: "MISSING_KEY" });
    if (coreOf(field.shape).kind === "enumeration") faults.push(replaced("no such value", "UNKNOWN_VALUE"));
    if (coreOf(field.shape).kind === "integer")
      faults.push(replaced(0, "NOT_POSITIVE"), replaced(true, "WRONG_TYPE"));
    if (key === "items") faults.push(...spoiledItems(object, at));
    return faults;
  });
}

function spoiledItems(plan: JsonObject, path: string): Spoiled[] {
  const items = plan.items as readonly JsonObject[];
  return items.flatMap((item, index) =>
    spoiledMember(item, `${path}[${index}]`, workflowPlanItem).map((spoiledItem) => ({
      ...spoiledItem,
      document: { ...plan, items: items.with(index, spoiledItem.document as JsonObject) },
    })),
  );
}

function wrongTypeFor(shape: Shape): Json {
  const core = coreOf(shape);
  if (core.kind === "integer") return 1.5;
  return core.kind === "text" || core.kind === "enumeration" ? 7 : "wrong";
}

function coreOf(shape: Shape): Shape {
  return shape.kind === "nullable" ? shape.of : shape;
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
