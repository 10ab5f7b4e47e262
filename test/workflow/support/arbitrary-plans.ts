/** Random valid workflow plans, made from the model's own shapes. */
import fc from "fast-check";
import { itemFields } from "../../../src/workflow/model/item.js";
import { check, choice, mode, rule, updateDocument } from "../../../src/workflow/model/leaves.js";
import { planFields } from "../../../src/workflow/model/plan.js";
import type { Field, Shape } from "../../../src/workflow/shape.js";
import { cli, itemWith, type Json, type JsonObject, planWith } from "./documents.js";

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/);
const anyText = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom("", "é", "😀", "～", "\u2028", "\u007f", '"\\/', "\n"),
);
const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, 0, -7, 1.5, 1e-7, 1e22),
    anyText,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(name, anyText, fc.constantFrom("10", "2")), tie("value"), { maxKeys: 3 }),
  ),
})).value;

/** Any value of a shape that the format accepts; texts that have a form are names. */
function arbitraryOf(shape: Shape): fc.Arbitrary<Json> {
  switch (shape.kind) {
    case "text":
      return shape.tests.length === 0 ? anyText : name;
    case "enumeration":
      return fc.constantFrom(...Object.keys(shape.values));
    case "flag":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: shape.positive ? 1 : -9, max: 99 });
    case "nullable":
      return fc.option(arbitraryOf(shape.of));
    case "list":
      return fc.array(arbitraryOf(shape.of), { minLength: shape.canBeEmpty ? 0 : 1, maxLength: 3 });
    case "object":
      return recordOf(shape.fields);
    case "variants":
      return fc.oneof(...shape.options.map(arbitraryOf));
    case "text map":
      return fc.dictionary(fc.oneof(name, fc.constantFrom("10", "2")), anyText, { maxKeys: 3 });
    case "any object":
      return fc.dictionary(name, anyJson, { maxKeys: 3 });
    default:
      return shape satisfies never;
  }
}

function recordOf(fields: Readonly<Record<string, Field>>): fc.Arbitrary<JsonObject> {
  const values = Object.fromEntries(
    Object.entries(fields).map(([key, { shape }]) => [key, arbitraryOf(shape)]),
  );
  const requiredKeys = Object.entries(fields).flatMap(([key, { absent }]) =>
    absent.is === "refused" ? [key] : [],
  );
  return fc.record(values, { requiredKeys });
}

/** The fields of which each may have any value, whatever the others are. */
const FREE_FIELDS = [
  "description",
  "parent",
  "registered_handler",
  "outputs",
  "requested_agent",
  "requested_model",
  "requested_reasoning",
  "role",
  "subagents",
  "interactive",
  "explicit",
  "learnable",
  "choices",
  "ui",
  "model",
  "reasoning",
  "profile",
  "profile_instruction",
  "profile_path",
  "workdir",
  "summary",
  "item_id",
  "item_assignment",
  "split_instruction",
  "shared_items",
  "item_identity",
  "item_unique",
  "artifact",
  "child_operation",
  "child_identity",
  "child_stage",
  "artifact_dependency",
  "assessment_question",
  "assessment_outcomes",
  "assessment_parent",
  "assessment_outcome",
  "assessment_stops",
  "item_pass",
  "item_collect_only",
  "max_handler_fixes",
] as const;

const freeFields = fc.record(
  Object.fromEntries(FREE_FIELDS.map((key) => [key, arbitraryOf(itemFields[key].shape)])),
  { requiredKeys: [] },
);

const notDerived = recordOf(check.fields).map(
  (value): JsonObject => ({ ...value, source: "rule", covers: [] }),
);

/** Items that an agent carries out. */
const agentItem = fc
  .record(
    {
      rules: fc.array(arbitraryOf(rule), { maxLength: 2 }),
      checks: fc.array(notDerived, { maxLength: 2 }),
      modes: fc.array(arbitraryOf(mode), { maxLength: 2 }),
      choices: fc.array(arbitraryOf(choice), { maxLength: 2 }),
      update_document: fc.array(arbitraryOf(updateDocument), { maxLength: 2 }),
      provide: fc.constant<Json>([{ name: "a" }]),
      loop_break: anyText,
      loop_continue: fc.option(anyText),
    },
    { requiredKeys: [] },
  )
  .map((others) => itemWith(others));

/** Items that run a command. */
const cliItem = fc
  .record(
    {
      on_failure: fc.constantFrom("operator", "fix"),
      on_failure_instruction: fc.option(anyText),
      save_metadata: fc.constant<Json>([
        { name: "a", key: "a.b", source: "stdout" },
        { name: "b", key: "a.c", append: true },
        { name: "c", key: "a.b", scope: "project", description: null },
      ]),
    },
    { requiredKeys: [] },
  )
  .map((others) => itemWith({ ...cli, ...others }));

/** Items of all other kinds. */
const otherItem = fc
  .constantFrom<JsonObject>(
    {
      operation: { type: "loop", loop_id: "l", boundary: "enter", max_times: 3 },
      owner: "ww",
      execution: "loop_control",
    },
    {
      operation: { type: "workflow_transition", target: "next" },
      owner: "ww",
      execution: "workflow_transition",
    },
    { operation: { type: "child_workflow", workflow: "w", launch: { agent: "a" } }, owner: "ww" },
  )
  .map(itemWith);

const unknownAction = fc
  .record({
    payload: fc.dictionary(fc.oneof(name, fc.constantFrom("10", "2", "~")), anyJson, { maxKeys: 4 }),
    owner: fc.constantFrom("agent", "ww"),
  })
  .map(({ payload, owner }) =>
    itemWith({ operation: { type: "action", identifier: "plugin", payload }, owner }),
  );

const pairs = fc.record(
  {
    loop: fc.record({ loop_id: anyText, loop_assignment: fc.constantFrom("per_round", "per_step") }),
    child: fc.record({ child_stage: anyText, child_number: fc.integer({ min: 1 }) }),
    steps: fc.array(fc.tuple(name, fc.integer({ min: 1, max: 9 })), { maxLength: 3 }).map((steps) => ({
      ancestors: steps.map(([path]) => path),
      step_ordinals: [1, ...steps.map(([, n]) => n)],
    })),
    pass: fc.constantFrom<JsonObject>(
      { item_operation: "collect", item_pass: "p" },
      { item_template: true, item_pass: "p" },
    ),
  },
  { requiredKeys: [] },
);

const anyItem: fc.Arbitrary<JsonObject> = fc
  .tuple(freeFields, fc.oneof(agentItem, cliItem, otherItem, unknownAction), pairs)
  .map(([free, item, { loop, child, steps, pass }]): JsonObject => {
    const passed: JsonObject = pass ?? {};
    return { ...free, ...item, ...loop, ...child, ...steps, ...passed };
  });

const head = fc.record(
  {
    task_id: fc.option(anyText),
    modes: fc.array(anyText, { maxLength: 2 }),
    handoff: fc.boolean(),
    documents: arbitraryOf(planFields.documents.shape),
    recommended_next_workflow: fc.option(anyText),
    hooks_from: fc.option(anyText),
  },
  { requiredKeys: [] },
);

/** Valid plans of one to four items, which freezing accepts too unless an artifact dependency is odd. */
export const arbitraryPlan: fc.Arbitrary<JsonObject> = planOf(
  fc.array(anyItem, { minLength: 1, maxLength: 4 }),
);

/** Plans of four to six items that can be frozen; no item names another one. */
export const freezablePlan: fc.Arbitrary<JsonObject> = planOf(
  fc.array(
    anyItem.map((item) => ({ ...item, artifact_dependency: null })),
    { minLength: 4, maxLength: 6 },
  ),
);

function planOf(items: fc.Arbitrary<JsonObject[]>): fc.Arbitrary<JsonObject> {
  return fc.tuple(items, head).map(([list, others]) =>
    planWith(
      list.map((item, index) => ({ ...item, id: `i${index}`, position: index + 1 })),
      others,
    ),
  );
}
