/**
 * The item object: its 71 fields in canonical order (workflow-plan.md §3). To add a field, add it here; a rule
 * between fields is one more function in item-rules.ts.
 */
import { type ExactJson, type ExactObject, isExactObject } from "../exact-json.js";
import type { ObjectOf } from "../shape.js";
import {
  childOperation,
  execution,
  itemAssignment,
  itemOperation,
  loopAssignment,
  onFailure,
  owner,
  phase,
  role,
  workdir,
} from "./enumerations.js";
import {
  check,
  choice,
  mode,
  provide,
  rule,
  saveMetadata,
  updateDocument,
  updateItem,
  verifies,
} from "./leaves.js";
import { operation } from "./operations.js";
import {
  filled,
  flag,
  inherited,
  list,
  nullable,
  positive,
  required,
  sparse,
  sparseWhen,
  text,
} from "./words.js";

/** An agent's own setting if the item has the key (null counts), else what leaves it to the agent. */
const orAuto = (key: "model" | "reasoning") => (item: ExactObject) => {
  const own = item.get(key);
  if (own === undefined) return "auto";
  return typeof own === "string" ? own : null;
};
const planAgent = (_item: ExactObject, plan: ExactJson): string | null => {
  const agent = isExactObject(plan) ? plan.get("agent") : null;
  return typeof agent === "string" ? agent : null;
};

const inLoop = { when: (item: { loop_id?: string | null }) => item.loop_id !== null };
const identified = {
  when: (item: { item_identity?: string | null; item_unique?: readonly unknown[] }) =>
    item.item_identity !== null || (item.item_unique ?? []).length > 0,
};
const fixable = { when: (item: { on_failure?: string }) => item.on_failure !== "operator" };

export const itemFields = {
  id: required(text, "Names the item within the plan; dependencies and verifications refer to it."),
  position: required(
    positive,
    "Where the item stands in the plan, from 1; items are carried out in this order.",
  ),
  name: required(text, "What the item is called on a screen."),
  description: filled(text, "", "What the item is for, in words for people."),
  operation: required(operation, "What carrying the item out consists of."),
  owner: required(owner, "Who carries the item out: an agent, or the runtime itself."),
  execution: required(execution, "In which way the item is carried out."),
  requires_agent_input: required(
    flag,
    "Whether the item runs by itself but waits until an agent hands over the provided values.",
  ),
  workflow: required(text, "The workflow that the item comes from."),
  step: required(text, "The step that the item belongs to, as a path."),
  parent: filled(nullable(text), null, "The step that this item's step is part of, if there is one."),
  phase: required(phase, "Whether the item is the step itself or comes before or after it."),
  source: required(text, "What put the item into the plan, such as a step, a hook or the runtime."),
  registered_handler: filled(
    nullable(text),
    null,
    "The handler that carries the item out, where it was looked up by name.",
  ),
  provide: filled(list(provide), [], "The values that the item must be given before it is carried out."),
  save_metadata: filled(list(saveMetadata), [], "The values to keep for later once the item is done."),
  update_document: sparse(
    list(updateDocument),
    [],
    "The documents to bring up to date while carrying the item out.",
  ),
  outputs: filled(list(text), [], "The names of the results that the item must report."),
  dependencies: filled(
    list(text),
    [],
    "The ids of the items that must be done or skipped before this one is ready.",
  ),
  requested_agent: inherited(
    planAgent,
    nullable(text),
    "The agent that the plan asks for; null leaves it open.",
  ),
  requested_model: inherited(
    orAuto("model"),
    nullable(text),
    "The model that the plan asks for; auto leaves it to the agent.",
  ),
  requested_reasoning: inherited(
    orAuto("reasoning"),
    nullable(text),
    "The reasoning effort that the plan asks for; auto leaves it to the agent.",
  ),
  role: filled(role, "worker", "Whether the item is for the agent that manages or for one that works."),
  subagents: filled(flag, true, "Whether the agent may hand parts of the work to agents of its own."),
  interactive: sparse(flag, false, "Whether the agent is expected to talk with a person on the way."),
  explicit: sparse(flag, false, "Whether the item is only carried out when someone asks for it by name."),
  learnable: sparse(flag, false, "Whether what was learned here may go into the instructions of later runs."),
  choices: sparse(list(choice), [], "The answers to choose from; the report must name one of their labels."),
  ui: sparse(flag, false, "Whether the item needs a user interface to be carried out."),
  model: filled(
    nullable(text),
    null,
    "The model that the item was resolved to; null when nothing was resolved.",
  ),
  reasoning: filled(
    nullable(text),
    null,
    "The reasoning effort that the item was resolved to; null when nothing was resolved.",
  ),
  profile: filled(nullable(text), null, "The profile that the agent takes on."),
  profile_instruction: filled(nullable(text), null, "How the agent is told to take its profile on."),
  profile_path: sparse(nullable(text), null, "The file that holds the profile."),
  workdir: sparse(workdir, "task", "The directory in which the item is carried out."),
  summary: filled(flag, false, "Whether the item sums up what was done instead of doing something new."),
  item_operation: filled(
    nullable(itemOperation),
    null,
    "What is done with the work items of a pass; null when the item has nothing to do with them.",
  ),
  item_template: filled(
    flag,
    false,
    "Whether the item is only a pattern: one item is made from it for each work item or child.",
  ),
  item_id: filled(
    nullable(text),
    null,
    "The work item that this item is about, once it was made from a template.",
  ),
  item_assignment: filled(
    itemAssignment,
    "per_step",
    "How the work items of a pass are dealt out to agents.",
  ),
  loop_id: sparseWhen(inLoop, nullable(text), null, "The loop that the item runs in, round after round."),
  loop_assignment: sparseWhen(
    inLoop,
    nullable(loopAssignment),
    null,
    "Whether each round of the loop gets an agent of its own.",
  ),
  split_instruction: filled(nullable(text), null, "How the work is to be split into work items or children."),
  shared_items: sparse(
    flag,
    false,
    "Whether the work items are shared with other steps instead of being this one's own.",
  ),
  update_item: sparse(
    list(updateItem),
    [],
    "The fields of the work item to set while carrying the item out.",
  ),
  item_identity: sparseWhen(
    identified,
    nullable(text),
    null,
    "The field by which a work item is recognised when it is collected again.",
  ),
  item_unique: sparseWhen(identified, list(text), [], "The fields in which no two work items may be equal."),
  artifact: filled(
    flag,
    true,
    "Whether carrying the item out leaves something behind that others can build on.",
  ),
  child_operation: filled(
    nullable(childOperation),
    null,
    "What is done about children; null when the item has nothing to do with them.",
  ),
  child_identity: filled(
    flag,
    false,
    "Whether the children are recognised by an identity when they are collected again.",
  ),
  child_stage: sparse(nullable(text), null, "The per-child stage that the item belongs to, as a path."),
  child_number: sparse(nullable(positive), null, "Which child of the stage the item is for, from 1."),
  ancestors: filled(list(text), [], "The steps that enclose the item's step, outermost first."),
  step_ordinals: filled(
    list(positive),
    [],
    "The numbers of the enclosing steps and of the step itself, as in 2.1.3, for display.",
  ),
  artifact_dependency: filled(nullable(text), null, "The id of the item whose artifact this one builds on."),
  loop_break: filled(
    nullable(text),
    null,
    "When the agent should end the loop from here, in words; null when it cannot.",
  ),
  loop_continue: filled(
    nullable(text),
    null,
    "When the agent should go straight to the next round from here, in words; null when it cannot.",
  ),
  assessment_question: filled(
    nullable(text),
    null,
    "The question that the agent has to answer, if the item is an assessment.",
  ),
  assessment_outcomes: filled(
    list(text),
    [],
    "The answers that the assessment can have; the report must name one.",
  ),
  assessment_parent: filled(
    nullable(text),
    null,
    "The assessment on whose outcome it depends whether the item is carried out.",
  ),
  assessment_outcome: filled(
    nullable(text),
    null,
    "The outcome with which the item is carried out; with any other it is skipped.",
  ),
  assessment_stops: sparse(list(text), [], "The outcomes after which all that is left is skipped."),
  rules: sparse(list(rule), [], "The rules to keep while carrying the item out."),
  checks: sparse(
    list(check),
    [],
    "The commands that must pass before the item is done; the report needs a result for each.",
  ),
  modes: sparse(list(mode), [], "The modes that the agent works in here."),
  verifies: sparse(
    nullable(verifies),
    null,
    "The item whose rules this one verifies; null when it verifies nothing.",
  ),
  item_pass: sparse(nullable(text), null, "The pass over work items that the item belongs to."),
  item_collect_only: sparse(
    flag,
    false,
    "Whether the pass only collects its work items and does not work on them.",
  ),
  on_failure: sparseWhen(
    fixable,
    onFailure,
    "operator",
    "Who deals with it when the command fails: an operator, or an agent that fixes it.",
  ),
  max_handler_fixes: sparseWhen(
    fixable,
    positive,
    3,
    "How often an agent may fix a failed command before an operator has to decide.",
  ),
  on_failure_instruction: sparse(nullable(text), null, "What whoever deals with the failed command is told."),
};

/** An item as it was read. */
export type WorkflowPlanItem = ObjectOf<typeof itemFields>;
