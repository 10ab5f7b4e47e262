/** The plan object (workflow-plan.md §2) and its items with their rules. */
import type { ObjectOf, Seen } from "../shape.js";
import { itemFields, type WorkflowPlanItem } from "./item.js";
import { ITEM_RULES } from "./item-rules.js";
import { document } from "./leaves.js";
import { flag, list, nullable, object, required, ruleFor, sparse, text } from "./words.js";

export const workflowPlanItem = object(
  "item",
  "One thing to do, with all that is known about how.",
  itemFields,
  ...ITEM_RULES,
);

/** How many items a plan may have. */
export const ITEM_LIMIT = 10_000;

export const planFields = {
  workflow: required(text, "The workflow that the plan was made from."),
  workflow_description: required(text, "What the workflow is for, in words for people."),
  agent: required(text, "The agent that carries items out where an item asks for no other."),
  task_id: required(nullable(text), "The task that the plan is for, if there is one."),
  modes: required(list(text), "The names of the modes that were chosen for the whole plan."),
  handoff: required(flag, "Whether the plan ends by handing over to another workflow."),
  items: required(list(workflowPlanItem, ITEM_LIMIT), "What is to be carried out, in order."),
  documents: sparse(list(document), [], "The documents that the items read and bring up to date."),
  recommended_next_workflow: sparse(nullable(text), null, "The workflow that is best run after this one."),
  hooks_from: sparse(nullable(text), null, "The workflow whose hooks are used instead of this one's own."),
};

/** What the plan's agent may come to when each item inherits it: a small document must not become a huge one. */
const INHERITED_LIMIT = 4 * 1024 * 1024;

const littleIsInherited = ruleFor<WorkflowPlan>()(["agent", "items"], ({ agent, items }, report) => {
  const heirs = items.filter((item) => item?.requested_agent === agent).length;
  if (agent.length * heirs > INHERITED_LIMIT) {
    report.refuse(
      "TOO_LARGE",
      `Must be shorter: ${heirs} items inherit it, each with a copy of its own.`,
      "agent",
    );
  }
});

export const workflowPlan = object(
  "plan",
  "The list of items that carries a plan's strategy out.",
  planFields,
  littleIsInherited,
);

/** A workflow plan as it was read. */
export type WorkflowPlan = ObjectOf<typeof planFields>;

/** A plan and an item as far as they could be read: faulty parts are undefined. */
export type SeenPlan = Seen<WorkflowPlan>;
export type SeenItem = Seen<WorkflowPlanItem>;
