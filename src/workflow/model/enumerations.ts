/** The enumerations of the format (workflow-plan.md §1), each value with what it means. */
import { enumeration } from "./words.js";

export const owner = enumeration("owner", {
  agent: "An AI agent carries the item out.",
  ww: "The workflow runtime carries the item out itself.",
});

export const execution = enumeration("execution", {
  agent_instruction: "An agent is told what to do.",
  automatic: "It runs without anyone being asked.",
  loop_control: "It begins a loop or decides about another round.",
  workflow_transition: "It hands over to another workflow.",
});

export const phase = enumeration("phase", {
  before_start_workflow: "Before the workflow starts.",
  before_start: "Before the step starts.",
  step: "The step itself.",
  before_complete: "Before the step is completed.",
  after_complete: "After the step was completed.",
  before_complete_workflow: "Before the workflow is completed.",
});

export const itemOperation = enumeration("item operation", {
  collect: "Collects the work items of a pass.",
  process_item: "Works on one work item.",
  resolve_item: "Resolves one work item.",
  report_item: "Reports on one work item.",
  handle_item: "Handles one work item from start to end.",
});

export const itemAssignment = enumeration("item assignment", {
  together: "One agent gets all work items together.",
  per_item: "Each work item gets an agent of its own.",
  per_step: "One agent for the whole step.",
});

export const loopAssignment = enumeration("loop assignment", {
  per_round: "Each round of the loop gets an agent of its own.",
  per_step: "One agent for all rounds.",
});

export const childOperation = enumeration("child operation", {
  collect: "Collects the children into which the work is split.",
});

export const role = enumeration("role", {
  manager: "The agent that manages the others.",
  worker: "An agent that works.",
});

export const workdir = enumeration("workdir", {
  task: "The directory of the task.",
  project: "The directory of the project.",
  root: "The root directory.",
});

export const onFailure = enumeration("on failure", {
  operator: "A person decides.",
  fix: "An agent tries to fix it.",
});

export const checkSource = enumeration("check source", {
  rule: "It comes from a rule.",
  hook: "It comes from a hook.",
  derived: "It was derived from rules when its step began.",
});

export const metadataScope = enumeration("metadata scope", {
  task: "Kept with the task.",
  project: "Kept with the project.",
});

export const metadataSource = enumeration("metadata source", {
  stdout: "What the command printed.",
});

export const documentScope = enumeration("document scope", {
  task: "A document of the task.",
  project: "A document of the project.",
  user: "A document of the user.",
});

export const loopBoundary = enumeration("loop boundary", {
  enter: "The loop begins here.",
  repeat: "Here it is decided whether there is another round.",
});
