import { describe, expect, it } from "vitest";
import { cliDict, cliEntries, cliJson } from "../../src/plan/cli-dictionary.js";
import type { JsonObject, Plan } from "../../src/plan/plan.js";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const PARENT = "01ARZ3NDEKTSV4RRFFQ69G5FAA";
const at = (second: number) => `2026-01-02T03:04:0${second}.000Z`;

const bare: Plan = {
  id: ID,
  name: "local/review-q69g5fav",
  actionName: "local/review",
  phase: "STRATEGIZE",
  state: "QUEUED",
  description: "",
  definitionOfDone: null,
  automationLevel: "REVIEW_BEFORE_APPLY",
  automationProfileName: null,
  effectiveProfileSnapshot: null,
  arguments: {},
  argumentsOrder: [],
  strategyActor: null,
  executionActor: null,
  estimationActor: null,
  invariantActor: null,
  changesetId: null,
  sandboxRefs: [],
  validationSummary: null,
  estimate: null,
  decisionRootId: null,
  errorMessage: null,
  errorDetails: null,
  tags: [],
  parentPlanId: null,
  rootPlanId: ID,
  depth: 0,
  version: 1,
  createdAt: at(1),
  updatedAt: at(1),
  appliedAt: null,
  cancelledAt: null,
  cancelReason: null,
  archivedAt: null,
  workflow: null,
  projectLinks: [{ projectName: "local/web", alias: null, readOnly: false }],
  invariants: [],
  phases: [{ phase: "STRATEGIZE", queuedAt: at(1), startedAt: null, finishedAt: null, attempts: 0 }],
};

const full: Plan = {
  ...bare,
  phase: "APPLY",
  state: "CANCELLED",
  description: "d",
  definitionOfDone: "done",
  automationProfileName: "local/careful",
  strategyActor: "local/s",
  executionActor: "local/e",
  estimationActor: "local/t",
  invariantActor: "local/i",
  arguments: JSON.parse('{"b":1,"2":[null],"__proto__":{"x":1}}') as JsonObject,
  argumentsOrder: ["b", "2", "__proto__"],
  changesetId: "c",
  sandboxRefs: ["r"],
  validationSummary: { ok: true },
  estimate: { hours: 1 },
  decisionRootId: PARENT,
  errorMessage: "m",
  errorDetails: { e: 1 },
  tags: ["t"],
  parentPlanId: PARENT,
  rootPlanId: PARENT,
  depth: 1,
  appliedAt: at(8),
  cancelledAt: at(9),
  projectLinks: [
    { projectName: "local/web", alias: "ui", readOnly: true },
    { projectName: "local/api", alias: null, readOnly: false },
  ],
  invariants: [
    { id: PARENT, text: "b", scope: "GLOBAL", sourceName: "team", nonOverridable: true },
    { id: ID, text: "a", scope: "PLAN", sourceName: null, nonOverridable: false },
  ],
  phases: [
    { phase: "STRATEGIZE", queuedAt: at(1), startedAt: at(2), finishedAt: at(3), attempts: 1 },
    { phase: "EXECUTE", queuedAt: at(3), startedAt: at(4), finishedAt: at(5), attempts: 2 },
    { phase: "APPLY", queuedAt: at(5), startedAt: at(6), finishedAt: at(7), attempts: 1 },
  ],
};

describe("the command-line dictionary", () => {
  it("of a bare plan has the members that are always there, and no others", () => {
    expect(cliEntries(bare)).toEqual([
      ["plan_id", ID],
      ["name", "local/review-q69g5fav"],
      ["action_name", "local/review"],
      ["phase", "strategize"],
      ["state", "queued"],
      ["description", ""],
      ["projects", [{ project_name: "local/web" }]],
      ["automation_level", "review_before_apply"],
      ["created_at", at(1)],
      ["updated_at", at(1)],
    ]);
  });

  it("of a plan with everything has every member in its place", () => {
    expect(cliEntries(full)).toEqual([
      ["plan_id", ID],
      ["name", "local/review-q69g5fav"],
      ["action_name", "local/review"],
      ["phase", "apply"],
      ["state", "cancelled"],
      ["description", "d"],
      ["definition_of_done", "done"],
      [
        "projects",
        [{ project_name: "local/web", alias: "ui", read_only: true }, { project_name: "local/api" }],
      ],
      ["automation_profile", "local/careful"],
      ["automation_level", "review_before_apply"],
      ["strategy_actor", "local/s"],
      ["execution_actor", "local/e"],
      ["estimation_actor", "local/t"],
      ["invariant_actor", "local/i"],
      ["arguments", full.arguments],
      [
        "invariants",
        [
          { text: "b", scope: "global", source_name: "team" },
          { text: "a", scope: "plan" },
        ],
      ],
      ["changeset_id", "c"],
      ["sandbox_refs", ["r"]],
      ["validation_summary", { ok: true }],
      ["decision_root_id", PARENT],
      ["error_message", "m"],
      ["error_details", { e: 1 }],
      ["tags", ["t"]],
      ["created_at", at(1)],
      ["updated_at", at(1)],
      ["strategize_started_at", at(2)],
      ["strategize_completed_at", at(3)],
      ["execute_started_at", at(4)],
      ["execute_completed_at", at(5)],
      ["apply_started_at", at(6)],
      ["apply_completed_at", at(7)],
      ["applied_at", at(8)],
      ["cancelled_at", at(9)],
      ["parent_plan_id", PARENT],
      ["root_plan_id", PARENT],
    ]);
  });

  it("leaves out what is set but empty, save where a member is always there", () => {
    const empty: Plan = {
      ...bare,
      definitionOfDone: "",
      validationSummary: {},
      errorMessage: "",
      errorDetails: {},
      projectLinks: [],
    };
    expect(Object.keys(cliDict(empty))).toEqual(Object.keys(cliDict(bare)));
    expect(cliDict(empty)).toMatchObject({ projects: [], description: "" });
  });

  it("keeps the order of the members as an object", () => {
    expect(Object.keys(cliDict(full))).toEqual(cliEntries(full).map(([key]) => key));
  });

  it("keeps the order of the arguments as JSON text, integer-like names too", () => {
    expect(cliJson(full)).toContain('"arguments":{"b":1,"2":[null],"__proto__":{"x":1}},"invariants":[');
  });

  it("says the same as JSON text and as an object", () => {
    expect(JSON.parse(cliJson(full))).toEqual(cliDict(full));
    expect(cliJson(bare)).toBe(JSON.stringify(cliDict(bare)));
  });
});
