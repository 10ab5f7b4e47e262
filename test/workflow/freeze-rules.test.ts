/** What freezing demands beyond the format. */
import { describe, expect, it } from "vitest";
import {
  checkJson,
  checkText,
  freezeFaultsOf,
  itemWith,
  type JsonObject,
  planWith,
} from "./support/documents.js";

/** A plan of items with dense ids and positions, each with what is given. */
function planOf(...items: JsonObject[]): JsonObject {
  return planWith(
    items.map((others, index) => itemWith({ id: `i${index}`, position: index + 1, ...others })),
  );
}

describe("Freezing demands of a valid plan", () => {
  it("nothing that a sound one does not have", () => {
    const plan = planOf(
      {},
      { dependencies: ["i0"], artifact_dependency: "i0" },
      { dependencies: ["i0", "i1"] },
    );
    expect(freezeFaultsOf(checkJson(plan))).toEqual([]);
  });

  it("unique ids", () => {
    const check = checkJson(planOf({ id: "a" }, { id: "b" }, { id: "a" }));
    expect(freezeFaultsOf(check)).toEqual(["$.items[2].id DUPLICATE_ID"]);
    expect(check.workflowPlan).not.toBeNull();
  });

  it("positions 1 to n in the order of the items", () => {
    const check = checkJson(planOf({}, { position: 3 }, { position: 2 }, { position: 9007199254740992 }));
    expect(freezeFaultsOf(check)).toEqual([
      "$.items[1].position POSITION_GAP",
      "$.items[2].position POSITION_GAP",
      "$.items[3].position POSITION_GAP",
    ]);
  });

  it("references to items of the plan", () => {
    const verifies = { item_id: "nobody", ordinal: 1 };
    const plan = planOf({ dependencies: ["i1", "nobody"], artifact_dependency: "" }, { verifies });
    expect(freezeFaultsOf(checkJson(plan))).toEqual([
      "$.items[0].dependencies[1] UNKNOWN_ITEM",
      "$.items[0].artifact_dependency UNKNOWN_ITEM",
      "$.items[1].verifies.item_id UNKNOWN_ITEM",
    ]);
  });

  it("no circle of dependencies, and names the ones that close it", () => {
    const plan = planOf(
      { dependencies: ["i1", "i3"] },
      { dependencies: ["i2"] },
      { dependencies: ["i0"] },
      { dependencies: ["i3"] },
    );
    const check = checkJson(plan);
    expect(freezeFaultsOf(check)).toEqual([
      "$.items[2].dependencies[0] DEPENDENCY_CYCLE",
      "$.items[3].dependencies[0] DEPENDENCY_CYCLE",
    ]);
    expect(check.freezeIssues[0]?.message).toContain('"i0" → "i1" → "i2" → "i0"');
  });

  it("no circle through 10,000 items either", () => {
    const items = Array.from({ length: 10_000 }, (_, index) => ({
      dependencies: [`i${(index + 1) % 10_000}`],
    }));
    expect(freezeFaultsOf(checkJson(planOf(...items)))).toEqual([
      "$.items[9999].dependencies[0] DEPENDENCY_CYCLE",
    ]);
  });

  it("no derived check", () => {
    const check = {
      id: "c",
      source: "derived",
      summary: "S.",
      command: { commands: [], assert: null },
      paths: [],
      max_fixes: 1,
      covers: ["r"],
    };
    expect(
      freezeFaultsOf(checkJson(planOf({ checks: [{ ...check, source: "hook", covers: [] }, check] }))),
    ).toEqual(["$.items[0].checks[1].source DERIVED_CHECK"]);
  });

  it("text that the database can hold, keys included", () => {
    const payload = '{"ok":"\\\\u0000 😀","\\u0000":1,"deep":[{"x":"\\ud83d"}]}';
    const item = JSON.stringify(itemWith({ name: "a\0", operation: "PAYLOAD" })).replace(
      '"PAYLOAD"',
      `{"type":"action","identifier":"plugin","payload":${payload}}`,
    );
    const check = checkText(JSON.stringify(planWith(["ITEM"], { task_id: "\0" })).replace('"ITEM"', item));
    expect(check.issues).toEqual([]);
    expect(freezeFaultsOf(check)).toEqual([
      "$.task_id NOT_STORABLE",
      "$.items[0].name NOT_STORABLE",
      '$.items[0].operation.payload["\\u0000"] NOT_STORABLE',
      "$.items[0].operation.payload.deep[0].x NOT_STORABLE",
    ]);
  });
});

describe("What freezing demands beside a fault of the format", () => {
  it.each<[string, JsonObject[], string[]]>([
    [
      "is told of other items",
      [{ owner: "nobody" }, { dependencies: ["nobody"], position: 7 }],
      ["$.items[1].position POSITION_GAP", "$.items[1].dependencies[0] UNKNOWN_ITEM"],
    ],
    [
      "is told of other fields of the item",
      [{ owner: 1, position: 2, id: "a" }, { id: "a" }],
      ["$.items[0].position POSITION_GAP", "$.items[1].id DUPLICATE_ID"],
    ],
    [
      "is told of the other entries of a list",
      [{ dependencies: [1, "i0", "nobody"] }, { verifies: { item_id: "none", ordinal: 0 } }],
      [
        "$.items[0].dependencies[1] DEPENDENCY_CYCLE",
        "$.items[0].dependencies[2] UNKNOWN_ITEM",
        "$.items[1].verifies.item_id UNKNOWN_ITEM",
      ],
    ],
    ["takes no faulty value for another one", [{ position: 0, name: ["\0"] }, { dependencies: 1 }], []],
    [
      "knows no unknown item while an id is missing",
      [{ id: 7 }, { dependencies: ["x", "i1"] }],
      ["$.items[1].dependencies[1] DEPENDENCY_CYCLE"],
    ],
  ])("%s", (_, items, faults) => {
    const check = checkJson(planOf(...items));
    expect(check.issues).not.toEqual([]);
    expect(freezeFaultsOf(check)).toEqual(faults);
  });

  it("knows no unknown item while one is no object at all, and is silent without items", () => {
    const { items, ...others } = planOf({ dependencies: ["x"], position: 2 });
    const check = checkJson({ ...others, items: [...(items as JsonObject[]), 7] });
    expect(freezeFaultsOf(check)).toEqual(["$.items[0].position POSITION_GAP"]);
    expect(freezeFaultsOf(checkJson({ ...others, items: 7, task_id: "\0" }))).toEqual([
      "$.task_id NOT_STORABLE",
    ]);
  });

  it("is told where it stands and not where it is inherited", () => {
    const plan = planWith([itemWith({ model: "\0" })], { agent: "\0", handoff: 1 });
    expect(freezeFaultsOf(checkJson(plan))).toEqual([
      "$.agent NOT_STORABLE",
      "$.items[0].model NOT_STORABLE",
    ]);
  });
});
