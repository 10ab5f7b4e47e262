/** An item of a workflow plan in the API. Its 71 fields are those of the model; what follows from them is added. */
import { builder } from "../../graphql/builder.js";
import { breaksChildren, handsOver, kindOf } from "../derived.js";
import type { ItemIndex, PlacedItem } from "../item-index.js";
import { workflowPlanItem } from "../model/plan.js";
import { renderItem } from "../plan-codec.js";
import { REACHED_ITEMS_LIMIT, type Usage } from "../usage.js";
import { makeTypesIn, modelFields } from "./model-types.js";
import "./item-filter.js";
import { shownText, tooCostly } from "./shown-text.js";
import "./operations.js";

/** An item, the others of its plan, and what the answer takes of all of them. */
export interface ItemNode extends PlacedItem {
  readonly items: ItemIndex;
  readonly usage: Usage;
}

makeTypesIn(workflowPlanItem);

export const WorkflowPlanItemRef = builder.objectRef<ItemNode>("WorkflowPlanItem");

WorkflowPlanItemRef.implement({
  description: workflowPlanItem.means,
  fields: (t) => ({
    ...modelFields(t, workflowPlanItem, ({ item }) => item),
    kind: t.string({
      description:
        "What the item does, in a word: the identifier of an action, else the type of the operation.",
      resolve: ({ item }) => kindOf(item),
    }),
    breaksChildren: t.boolean({
      description: "Whether a break here ends the remaining per-child stages, not only a loop inside one.",
      resolve: ({ item }) => breaksChildren(item),
    }),
    handsOver: t.boolean({
      description: "Whether the step's result is handed to the next one when the item is done.",
      resolve: ({ item }) => handsOver(item),
    }),
    json: t.string({
      description: "The item's canonical text.",
      resolve: ({ item, usage }) => shownText(usage, () => renderItem(item)),
    }),
    dependsOn: t.field({
      type: [WorkflowPlanItemRef],
      description: `The items that \`dependencies\` names, in that order and each once. Of all these lists in one answer at most ${REACHED_ITEMS_LIMIT.toLocaleString("en")} items are given.`,
      resolve: (node) => reached(node, node.items.dependenciesOf(node.item)),
    }),
    dependents: t.field({
      type: [WorkflowPlanItemRef],
      description: "The items that wait for this one, in the order of the plan.",
      resolve: (node) => reached(node, node.items.dependentsOf(node.item)),
    }),
  }),
});

function reached({ items, usage }: ItemNode, found: readonly PlacedItem[]): readonly ItemNode[] {
  if (!usage.reach(found.length))
    throw tooCostly(
      `The selection reaches more than ${REACHED_ITEMS_LIMIT} items through dependsOn and dependents.`,
    );
  return found.map((placed) => ({ ...placed, items, usage }));
}
