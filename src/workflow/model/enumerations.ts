/** The enumerations of the format (workflow-plan.md §1), each value with what it means. */
import { enumeration } from "./words.js";

export const owner = enumeration("owner", "Who carries an item of a workflow plan out.", {
  agent: "An AI agent carries the item out.",
  ww: "The workflow runtime carries the item out itself.",
});

export const execution = enumeration("execution", "In which way an item of a workflow plan is carried out.", {
  agent_instruction: "An agent is told what to do.",
  automatic: "It runs without anyone being asked.",
  loop_control: "It begins a loop or decides about another round.",
  workflow_transition: "It hands over to another workflow.",
});

export const phase = enumeration("phase", "Where in the life of a workflow or of a step an item stands.", {
  before_start_workflow: "Before the workflow starts.",
  before_start: "Before the step starts.",
  step: "The step itself.",
  before_complete: "Before the step is completed.",
  after_complete: "After the step was completed.",
  before_complete_workflow: "Before the workflow is completed.",
});

export const itemOperation = enumeration(
  "item operation",
  "What an item does with the work items of a pass.",
  {
    collect: "Collects the work items of a pass.",
    process_item: "Works on one work item.",
    resolve_item: "Resolves one work item.",
    report_item: "Reports on one work item.",
    handle_item: "Handles one work item from start to end.",
  },
);

export const itemAssignment = enumeration(
  "item assignment",
  "How the work items of a pass are dealt out to agents.",
  {
    together: "One agent gets all work items together.",
    per_item: "Each work item gets an agent of its own.",
    per_step: "One agent for the whole step.",
  },
);

export const loopAssignment = enumeration("loop assignment", "Who carries out the rounds of a loop.", {
  per_round: "Each round of the loop gets an agent of its own.",
  per_step: "One agent for all rounds.",
});

export const childOperation = enumeration("child operation", "What an item does about children.", {
  collect: "Collects the children into which the work is split.",
});

export const role = enumeration("role", "Which kind of agent an item is for.", {
  manager: "The agent that manages the others.",
  worker: "An agent that works.",
});

export const workdir = enumeration("workdir", "Where an item is carried out.", {
  task: "The directory of the task.",
  project: "The directory of the project.",
  root: "The root directory.",
});

export const onFailure = enumeration("on failure", "Who deals with it when the command of an item fails.", {
  operator: "A person decides.",
  fix: "An agent tries to fix it.",
});

export const checkSource = enumeration("check source", "Where a check comes from.", {
  rule: "It comes from a rule.",
  hook: "It comes from a hook.",
  derived: "It was derived from rules when its step began.",
});

export const metadataScope = enumeration("metadata scope", "What a saved value is kept with.", {
  task: "Kept with the task.",
  project: "Kept with the project.",
});

export const metadataSource = enumeration(
  "metadata source",
  "Where a saved value comes from, when the agent does not give it.",
  {
    stdout: "What the command printed.",
  },
);

export const documentScope = enumeration("document scope", "Whom a document belongs to.", {
  task: "A document of the task.",
  project: "A document of the project.",
  user: "A document of the user.",
});

export const loopBoundary = enumeration("loop boundary", "Which end of a loop an item is.", {
  enter: "The loop begins here.",
  repeat: "Here it is decided whether there is another round.",
});
