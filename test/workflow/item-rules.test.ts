/** The rules between fields, each with what breaks it and what it allows. */
import { describe, expect, it } from "vitest";
import { itemFields } from "../../src/workflow/model/item.js";
import { workflowPlanItem } from "../../src/workflow/model/plan.js";
import { checkJson, cli, faultsOf, itemWith, type JsonObject, planWith } from "./support/documents.js";

const loop: JsonObject = {
  operation: { type: "loop", loop_id: "l", boundary: "enter", max_times: 3 },
  owner: "ww",
  execution: "loop_control",
};
const transition: JsonObject = {
  operation: { type: "workflow_transition", target: "next" },
  owner: "ww",
  execution: "workflow_transition",
};
const unregistered: JsonObject = {
  operation: { type: "action", identifier: "plugin", payload: { any: "thing" } },
};
const rule: JsonObject = {
  id: "r",
  summary: "S.",
  text: "T",
  text_hash: "h",
  paths: [],
  has_command: false,
  max_fixes: 1,
};
const check: JsonObject = {
  id: "c",
  source: "rule",
  summary: "S.",
  command: { commands: [], assert: null },
  paths: [],
  max_fixes: 1,
};
const verifies: JsonObject = { item_id: "build", ordinal: 1 };
const mode: JsonObject = { name: "m", description: [], automatic: true };

const refused: [string, JsonObject, string[]][] = [
  ["A fix on an action that is no command", { on_failure: "fix" }, ["on_failure NOT_ON_CLI"]],
  [
    "A failure instruction on an unregistered action",
    { ...unregistered, on_failure_instruction: "" },
    ["on_failure_instruction NOT_ON_CLI"],
  ],
  ["A loop without an assignment", { loop_id: "" }, ["loop_id INCOMPLETE_PAIR"]],
  ["An assignment without a loop", { loop_assignment: "per_round" }, ["loop_assignment INCOMPLETE_PAIR"]],
  ["A child number without a stage", { child_number: 2 }, ["child_number STAGE_MISSING"]],
  [
    "As many ordinals as ancestors",
    { ancestors: ["a"], step_ordinals: [1] },
    ["step_ordinals ORDINALS_LENGTH"],
  ],
  [
    "A prompt carried out by the runtime",
    { owner: "ww", execution: "automatic" },
    ["owner WRONG_OWNER", "execution WRONG_EXECUTION"],
  ],
  ["A loop carried out by an agent", { ...loop, owner: "agent" }, ["owner WRONG_OWNER"]],
  [
    "A loop boundary that breaks and continues",
    { ...loop, loop_break: "", loop_continue: "x" },
    ["loop_break LOOP_EXIT_MISPLACED", "loop_continue LOOP_EXIT_MISPLACED"],
  ],
  ["A break before the step", { phase: "before_start", loop_break: "x" }, ["loop_break LOOP_EXIT_MISPLACED"]],
  [
    "A command with provided values that needs no input",
    { ...cli, provide: [{ name: "a" }] },
    ["requires_agent_input AGENT_INPUT_MISMATCH"],
  ],
  [
    "Input that nobody provides",
    { ...cli, requires_agent_input: true },
    ["requires_agent_input AGENT_INPUT_MISMATCH"],
  ],
  [
    "Rules, checks, modes and documents on a command",
    { ...cli, rules: [rule], checks: [check], modes: [mode], update_document: [{ name: "d" }] },
    ["rules AGENT_ONLY", "checks AGENT_ONLY", "modes AGENT_ONLY", "update_document AGENT_ONLY"],
  ],
  ["A verification by the runtime", { ...cli, verifies }, ["verifies AGENT_ONLY"]],
  ["A verification with rules", { verifies, rules: [rule] }, ["verifies VERIFIES_WITH_OTHERS"]],
  [
    "Saved values on a transition",
    { ...transition, save_metadata: [{ name: "a", key: "k" }], update_item: [{ name: "a" }] },
    ["save_metadata AGENT_OR_CLI_ONLY", "update_item AGENT_OR_CLI_ONLY"],
  ],
  [
    "The same name in two scopes",
    {
      save_metadata: [
        { name: "a", key: "k" },
        { name: "a", key: "l", scope: "project" },
      ],
    },
    ["save_metadata[1].name METADATA_NAME_TWICE"],
  ],
  [
    "The same key twice",
    {
      save_metadata: [
        { name: "a", key: "k" },
        { name: "b", key: "k" },
      ],
    },
    ["save_metadata[1].key METADATA_KEY_TWICE"],
  ],
  [
    "A key inside another one",
    {
      save_metadata: [
        { name: "a", key: "k.l.m" },
        { name: "b", key: "k-l" },
        { name: "c", key: "k" },
      ],
    },
    ["save_metadata[0].key METADATA_KEY_INSIDE"],
  ],
  [
    "A reserved key",
    { save_metadata: [{ name: "a", key: "ww.x", scope: "project" }] },
    ["save_metadata[0].key RESERVED_KEY"],
  ],
  ["A collecting item without a pass", { item_operation: "collect" }, ["item_pass PASS_MISSING"]],
  [
    "A template without a pass",
    { item_template: true, child_operation: "collect" },
    ["item_pass PASS_MISSING"],
  ],
  [
    "A derived check that covers nothing",
    { checks: [{ ...check, source: "derived" }] },
    ["checks[0].covers COVERS_MISMATCH"],
  ],
  [
    "A command that is argv and shell",
    {
      ...cli,
      operation: {
        type: "action",
        identifier: "cli",
        payload: { commands: [{ argv: ["a"], shell: "a" }], assert: null },
      },
    },
    ["operation.payload.commands[0].shell COMMAND_FORM"],
  ],
];

const allowed: [string, JsonObject][] = [
  [
    "A fix with an instruction on a command",
    { ...cli, on_failure: "fix", on_failure_instruction: "Fix it." },
  ],
  [
    "An unregistered action by anyone in any way",
    { ...unregistered, owner: "ww", execution: "loop_control" },
  ],
  ["A break of an agent's step", { loop_break: "", loop_continue: "" }],
  [
    "A command that waits for provided values",
    { ...cli, provide: [{ name: "a" }], requires_agent_input: true },
  ],
  [
    "Saved values of a command",
    { ...cli, save_metadata: [{ name: "a", key: "k" }], update_item: [{ name: "a" }] },
  ],
  [
    "The same key in two scopes",
    {
      save_metadata: [
        { name: "a", key: "k" },
        { name: "b", key: "k.l", scope: "project" },
      ],
    },
  ],
  [
    "A key that only begins like another",
    {
      save_metadata: [
        { name: "a", key: "k" },
        { name: "b", key: "k-l.m" },
        { name: "c", key: "kk" },
      ],
    },
  ],
  ["A collecting item of a child operation", { item_operation: "collect", child_operation: "collect" }],
  ["A template of a child stage", { item_template: true, child_stage: "" }],
  ["A verification without rules of its own", { verifies }],
  ["A derived check that covers a rule", { checks: [{ ...check, source: "derived", covers: ["r"] }] }],
];

describe("The rules between fields", () => {
  it.each(refused)("refuse: %s", (_, others, faults) => {
    expect(faultsOf(checkJson(planWith([itemWith(others)]))).sort()).toEqual(
      faults.map((fault) => `$.items[0].${fault}`).sort(),
    );
  });

  it.each(allowed)("allow: %s", (_, others) => {
    expect(faultsOf(checkJson(planWith([itemWith(others)])))).toEqual([]);
  });

  it("are tried on what can be read, whatever is wrong with the rest", () => {
    const faulty = itemWith({
      ...cli,
      owner: "agent",
      operation: { type: "action", identifier: "cli", payload: { commands: 1, assert: null } },
      loop_id: "l",
      save_metadata: [
        { name: 1, key: "k" },
        { name: "b", key: "k" },
      ],
      provide: [{}],
      child_number: 0,
    });
    expect(faultsOf(checkJson(planWith([faulty])))).toEqual([
      "$.items[0].operation.payload.commands WRONG_TYPE",
      "$.items[0].provide[0].name MISSING_KEY",
      "$.items[0].save_metadata[0].name WRONG_TYPE",
      "$.items[0].child_number NOT_POSITIVE",
      "$.items[0].owner WRONG_OWNER",
      "$.items[0].requires_agent_input AGENT_INPUT_MISMATCH",
      "$.items[0].save_metadata[1].key METADATA_KEY_TWICE",
      "$.items[0].loop_id INCOMPLETE_PAIR",
    ]);
  });

  it("are tried beside faults in all fields that no rule names", () => {
    const ruled = new Set(workflowPlanItem.rules.flatMap(({ fields }) => fields));
    for (const [, others, faults] of refused) {
      const free = Object.keys(itemFields).filter((key) => !ruled.has(key) && !(key in others));
      expect(free.length).toBeGreaterThan(30);
      const wrong = Object.fromEntries(free.map((key) => [key, { wrong: true }]));
      const found = faultsOf(checkJson(planWith([itemWith({ ...others, ...wrong })])));
      const expected = [...faults, ...free.map((key) => `${key} WRONG_TYPE`)];
      expect(found.sort()).toEqual(expected.map((fault) => `$.items[0].${fault}`).sort());
    }
  });

  it.each<[JsonObject, string[]]>([
    [
      { on_failure: 1, on_failure_instruction: "" },
      ["on_failure WRONG_TYPE", "on_failure_instruction NOT_ON_CLI"],
    ],
    [{ ...loop, phase: 1, loop_break: "" }, ["phase WRONG_TYPE", "loop_break LOOP_EXIT_MISPLACED"]],
    [{ item_operation: "collect", item_template: 1 }, ["item_template WRONG_TYPE", "item_pass PASS_MISSING"]],
  ])("are each tried on the fields that they need and no others: %#", (others, faults) => {
    expect(faultsOf(checkJson(planWith([itemWith(others)])))).toEqual(
      faults.map((fault) => `$.items[0].${fault}`),
    );
  });

  it("say nothing that follows from a faulty identifier alone", () => {
    const operation = { type: "action", identifier: 7, payload: {} };
    const faulty = itemWith({
      ...cli,
      operation,
      on_failure: "fix",
      save_metadata: [{ name: "a", key: "k" }],
    });
    expect(faultsOf(checkJson(planWith([faulty])))).toEqual(["$.items[0].operation.identifier WRONG_TYPE"]);
  });
});
