/** Documents for the tests of workflow plans, and short ways to check them. */
import { checkDocument, type WorkflowPlanCheck } from "../../../src/workflow/validate.js";
import { finish } from "../../../src/workflow/work.js";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** An item with the eleven keys that it needs, and others as given. */
export function itemWith(others: JsonObject = {}): JsonObject {
  return {
    id: "build",
    position: 1,
    name: "Build",
    operation: { type: "action", identifier: "prompt", payload: { text: "Build it." } },
    owner: "agent",
    execution: "agent_instruction",
    requires_agent_input: false,
    workflow: "feature",
    step: "build",
    phase: "step",
    source: "step",
    ...others,
  };
}

/** What makes an item a cli item. */
export const cli: JsonObject = {
  operation: {
    type: "action",
    identifier: "cli",
    payload: { commands: [{ argv: ["npm", "test"] }], assert: null },
  },
  owner: "ww",
  execution: "automatic",
};

/** A plan with the seven keys that it needs, and others as given. */
export function planWith(items: readonly Json[], others: JsonObject = {}): JsonObject {
  return {
    workflow: "feature",
    workflow_description: "Build a feature.",
    agent: "codex",
    task_id: "TASK-1",
    modes: [],
    handoff: false,
    items,
    ...others,
  };
}

export function checkJson(document: Json): WorkflowPlanCheck {
  return checkText(JSON.stringify(document));
}

export function checkText(text: string): WorkflowPlanCheck {
  return finish(checkDocument({ text }));
}

/** The issues as `path CODE`. */
export function faultsOf(check: WorkflowPlanCheck): string[] {
  return check.issues.map(({ path, code }) => `${path} ${code}`);
}

/** What freezing would refuse, as `path CODE`. */
export function freezeFaultsOf(check: WorkflowPlanCheck): string[] {
  return check.freezeIssues.map(({ path, code }) => `${path} ${code}`);
}
