/** The model as a whole: what must hold for each field of it, and what its defaults mean. */
import { describe, expect, it } from "vitest";
import { itemFields } from "../../src/workflow/model/item.js";
import { workflowPlan, workflowPlanItem } from "../../src/workflow/model/plan.js";
import type { ObjectShape, Shape } from "../../src/workflow/shape.js";
import { checkJson, cli, itemWith, type JsonObject, planWith } from "./support/documents.js";

describe("The model", () => {
  it("has the 71 fields of an item and the 10 of a plan", () => {
    expect(workflowPlanItem.entries).toHaveLength(71);
    expect(workflowPlan.entries).toHaveLength(10);
  });

  it("says of each field of each object what it means, in a sentence", () => {
    for (const shape of objectsIn(workflowPlan)) {
      for (const { key, field } of shape.entries)
        expect(field.means, `${shape.name}.${key}`).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("describes no two fields of an item alike", () => {
    const meanings = Object.values(itemFields).map(({ means }) => means);
    expect(new Set(meanings)).toHaveProperty("size", 71);
  });

  it("has rules about fields that there are, and no others", () => {
    for (const shape of objectsIn(workflowPlan)) {
      for (const { fields } of shape.rules)
        expect(Object.keys(shape.fields)).toEqual(expect.arrayContaining([...fields]));
    }
  });
});

describe("What is absent", () => {
  const itemOf = (others: JsonObject) =>
    checkJson(planWith([itemWith(others)])).workflowPlan?.plan.items[0] ?? expect.unreachable();

  it("has the default of the format", () => {
    const item = itemOf({});
    expect(item).toMatchObject({
      description: "",
      on_failure: "operator",
      max_handler_fixes: 3,
      requested_agent: "codex",
      requested_model: "auto",
      requested_reasoning: "auto",
      role: "worker",
      subagents: true,
      artifact: true,
      interactive: false,
      workdir: "task",
      item_assignment: "per_step",
      provide: [],
      model: null,
      verifies: null,
    });
  });

  it("inherits the item's own model and reasoning, null included", () => {
    expect(itemOf({ model: null, reasoning: "low" })).toMatchObject({
      requested_model: null,
      requested_reasoning: "low",
    });
    expect(itemOf({ requested_agent: null, model: "m", requested_model: "n" })).toMatchObject({
      requested_agent: null,
      requested_model: "n",
    });
  });

  it("is also what the canonical text leaves out", () => {
    expect(itemOf({ ...cli, max_handler_fixes: 9 }).max_handler_fixes).toBe(3);
    expect(itemOf({ ...cli, on_failure: "fix", max_handler_fixes: 9 }).max_handler_fixes).toBe(9);
    expect(
      itemOf({ verifies: { item_id: "x", ordinal: 1, hints: { agent: null } } }).verifies?.hints,
    ).toBeNull();
  });
});

/** Every object that a shape has inside, each once. */
function objectsIn(shape: Shape, found = new Set<ObjectShape>()): Set<ObjectShape> {
  if (shape.kind === "nullable" || shape.kind === "list") objectsIn(shape.of, found);
  if (shape.kind === "variants") for (const option of shape.options) objectsIn(option, found);
  if (shape.kind === "object" && !found.has(shape)) {
    found.add(shape);
    for (const { field } of shape.entries) objectsIn(field.shape, found);
  }
  return found;
}
