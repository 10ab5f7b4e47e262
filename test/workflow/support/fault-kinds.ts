/** Faults of three kinds, each put into an item of its own of a plan that can be frozen. */
import fc from "fast-check";
import { itemWith, type Json, type JsonObject } from "./documents.js";
import { faultsOfItem } from "./faults.js";

/** A plan with three faults, and what must be reported: `path CODE`. */
export interface ThreeFaults {
  readonly document: JsonObject;
  readonly issues: readonly string[];
  readonly freezeIssues: readonly string[];
}

/** Random plans that are the given one with a fault of the format, one between fields and one of freezing. */
export function withThreeFaults(plan: JsonObject): fc.Arbitrary<ThreeFaults> {
  const items = plan.items as readonly JsonObject[];
  return fc
    .tuple(
      fc.shuffledSubarray([...items.keys()], { minLength: 4, maxLength: 4 }),
      fc.nat(),
      fc.constantFrom(...BETWEEN_FIELDS),
      fc.constantFrom(...OF_FREEZING),
    )
    .map(([[malformed = 0, broken = 0, unfit = 0, sound = 0], choice, breakRule, spoilForFreezing]) => {
      const faulty: Json[] = [...items];
      const format = oneOf(malformedFrom(items[malformed] ?? {}), choice);
      faulty[malformed] = format.item;
      const between = breakRule(items[broken] ?? {});
      faulty[broken] = between.item;
      const freezing = spoilForFreezing(items, unfit, sound);
      for (const [index, item] of freezing.items) faulty[index] = item;
      const isHidden = freezing.needsAllIds === true && format.hidesId;
      return {
        document: { ...plan, items: faulty },
        issues: [`$.items[${malformed}]${format.fault}`, `$.items[${broken}]${between.fault}`],
        freezeIssues: isHidden ? [] : [freezing.fault],
      };
    });
}

interface Malformed {
  readonly item: Json;
  readonly fault: string;
  readonly hidesId: boolean;
}

function malformedFrom(item: JsonObject): Malformed[] {
  const members = faultsOfItem(item).map(({ document, path, code }) => ({
    item: document,
    fault: `${path} ${code}`,
    hidesId: path === ".id",
  }));
  return [...members, { item: 7, fault: " WRONG_TYPE", hidesId: true }];
}

type RuleBreaker = (item: JsonObject) => { readonly item: JsonObject; readonly fault: string };

const BETWEEN_FIELDS: readonly RuleBreaker[] = [
  (item) => ({
    item: { ...item, child_number: 1, child_stage: null, item_template: false },
    fault: ".child_number STAGE_MISSING",
  }),
  (item) => ({
    item: { ...item, loop_id: null, loop_assignment: "per_round" },
    fault: ".loop_assignment INCOMPLETE_PAIR",
  }),
  (item) => ({
    item: { ...item, ancestors: ["a"], step_ordinals: [1] },
    fault: ".step_ordinals ORDINALS_LENGTH",
  }),
  (item) => ({
    item: { ...item, requires_agent_input: true },
    fault: ".requires_agent_input AGENT_INPUT_MISMATCH",
  }),
  (item) => ({
    item: { ...item, item_operation: "collect", child_operation: null, item_pass: null },
    fault: ".item_pass PASS_MISSING",
  }),
  ({ id = "", position = 1 }) => ({
    item: itemWith({ id, position, on_failure: "fix" }),
    fault: ".on_failure NOT_ON_CLI",
  }),
];

type Freezing = (
  items: readonly JsonObject[],
  unfit: number,
  sound: number,
) => {
  readonly items: readonly (readonly [number, JsonObject])[];
  readonly fault: string;
  /** Whether nobody can tell as long as the id of an item is not known. */
  readonly needsAllIds?: boolean;
};

const derivedCheck = {
  id: "c",
  source: "derived",
  summary: "S.",
  command: { commands: [], assert: null },
  paths: [],
  max_fixes: 1,
  covers: ["r"],
};

const OF_FREEZING: readonly Freezing[] = [
  (items, unfit, sound) => ({
    items: [[unfit, { ...items[unfit], id: `i${sound}` }]],
    fault: `$.items[${Math.max(unfit, sound)}].id DUPLICATE_ID`,
  }),
  (items, unfit) => ({
    items: [[unfit, { ...items[unfit], position: unfit + 2 }]],
    fault: `$.items[${unfit}].position POSITION_GAP`,
  }),
  (items, unfit, sound) => ({
    items: [[unfit, { ...items[unfit], dependencies: [`i${sound}`, "nobody"] }]],
    fault: `$.items[${unfit}].dependencies[1] UNKNOWN_ITEM`,
    needsAllIds: true,
  }),
  (items, unfit) => ({
    items: [[unfit, { ...items[unfit], artifact_dependency: "nobody" }]],
    fault: `$.items[${unfit}].artifact_dependency UNKNOWN_ITEM`,
    needsAllIds: true,
  }),
  (items, unfit, sound) => ({
    items: [
      [unfit, { ...items[unfit], dependencies: [`i${sound}`] }],
      [sound, { ...items[sound], dependencies: [`i${unfit}`] }],
    ],
    fault: `$.items[${Math.max(unfit, sound)}].dependencies[0] DEPENDENCY_CYCLE`,
  }),
  (_items, unfit) => ({
    items: [[unfit, itemWith({ id: `i${unfit}`, position: unfit + 1, checks: [derivedCheck] })]],
    fault: `$.items[${unfit}].checks[0].source DERIVED_CHECK`,
  }),
  (items, unfit) => ({
    items: [[unfit, { ...items[unfit], name: "a\0" }]],
    fault: `$.items[${unfit}].name NOT_STORABLE`,
  }),
];

function oneOf<T>(list: readonly T[], choice: number): T {
  const chosen = list[choice % list.length];
  if (chosen === undefined) throw new Error("There is nothing to choose from.");
  return chosen;
}
