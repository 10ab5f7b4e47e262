/** An item of a workflow plan in the API. Its 71 fields are those of the model; what follows from them is added. */
import { GraphQLError } from "graphql";
import { builder } from "../../graphql/builder.js";
import { breaksChildren, handsOver, kindOf } from "../derived.js";
import type { ItemIndex, PlacedItem } from "../item-index.js";
import { workflowPlanItem } from "../model/plan.js";
import { renderItem } from "../plan-codec.js";
import { makeTypesIn, modelFields } from "./model-types.js";
import "./item-filter.js";
import "./operations.js";

/** An item, and the others of its plan. */
export interface ItemNode extends PlacedItem {
  readonly items: ItemIndex;
  readonly allowance: ItemAllowance;
}

/** How many more items may be reached from items, for all of one workflow plan in an answer together. */
export interface ItemAllowance {
  left: number;
}

/** Dependencies multiply with each level that is asked for, so there is a limit on all of them together. */
export const REACHED_ITEMS_LIMIT = 50_000;

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
    json: t.string({ description: "The item's canonical text.", resolve: ({ item }) => renderItem(item) }),
    dependsOn: t.field({
      type: [WorkflowPlanItemRef],
      description: `The items that \`dependencies\` names, in that order and each once. Of all these lists in one workflow plan at most ${REACHED_ITEMS_LIMIT.toLocaleString("en")} items are given.`,
      resolve: (node) => reached(node, node.items.dependenciesOf(node.item)),
    }),
    dependents: t.field({
      type: [WorkflowPlanItemRef],
      description: "The items that wait for this one, in the order of the plan.",
      resolve: (node) => reached(node, node.items.dependentsOf(node.item)),
    }),
  }),
});

function reached({ items, allowance }: ItemNode, found: readonly PlacedItem[]): readonly ItemNode[] {
  allowance.left -= found.length;
  if (allowance.left < 0) {
    const message = `The selection reaches more than ${REACHED_ITEMS_LIMIT} items through dependsOn and dependents.`;
    throw new GraphQLError(message, { extensions: { code: "QUERY_TOO_COSTLY" } });
  }
  return found.map((placed) => ({ ...placed, items, allowance }));
}
