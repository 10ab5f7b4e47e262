/** A workflow plan in the API: one that is frozen on a plan, or the one of a document that was checked. */
import { builder } from "../../graphql/builder.js";
import { laneOf } from "../derived.js";
import { workflowPlan } from "../model/plan.js";
import { type OpenedPlan, opened, type WorkflowReads } from "../reading.js";
import type { WorkflowRevision } from "../revision.js";
import type { Usage } from "../usage.js";
import type { CheckedPlan } from "../validate.js";
import { finishInPieces } from "../work.js";
import { WorkflowPlanItemRef } from "./item.js";
import { WorkflowItemFilterInput } from "./item-filter.js";
import { itemPage, itemPageSchema, WorkflowPlanItemConnectionRef } from "./items.js";
import { makeTypesIn, modelFields } from "./model-types.js";
import { shownText, tooMuchText } from "./shown-text.js";

export interface WorkflowPlanNode {
  /** Null where it is not frozen. */
  readonly frozen: Pick<WorkflowRevision, "revision" | "frozenAt"> | null;
  readonly digest: string;
  readonly itemCount: number;
  /** The plan itself, read when it is first asked for. */
  content(): Promise<OpenedPlan>;
  readonly usage: Usage;
}

/** A workflow plan that was frozen on the plan. */
export function frozenNode(
  planId: string,
  revision: WorkflowRevision,
  reads: WorkflowReads,
): WorkflowPlanNode {
  const { digest, itemCount } = revision;
  return node({ frozen: revision, digest, itemCount, usage: reads.usage }, async () => {
    const plan = await reads.content(planId, revision);
    if (plan === null) throw tooMuchText();
    return plan;
  });
}

/** The workflow plan of a document. */
export function checkedNode(plan: CheckedPlan, { usage }: WorkflowReads): WorkflowPlanNode {
  const facts = { frozen: null, digest: plan.digest, itemCount: plan.plan.items.length, usage };
  return node(facts, () => finishInPieces(opened(plan)));
}

function node(facts: Omit<WorkflowPlanNode, "content">, read: () => Promise<OpenedPlan>): WorkflowPlanNode {
  let content: Promise<OpenedPlan> | undefined;
  return {
    ...facts,
    content: () => {
      content ??= read();
      return content;
    },
  };
}

makeTypesIn(workflowPlan, ["items"]);

export const WorkflowPlanRef = builder.objectRef<WorkflowPlanNode>("WorkflowPlan").implement({
  description: workflowPlan.means,
  fields: (t) => ({
    revision: t.int({
      nullable: true,
      description:
        "Counts the workflow plans that were frozen on the plan, from 1; null where it is not frozen.",
      resolve: ({ frozen }) => frozen?.revision,
    }),
    frozenAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it was frozen; null where it is not.",
      resolve: ({ frozen }) => frozen?.frozenAt,
    }),
    digest: t.exposeString("digest", {
      description: "The SHA-256 of its content in lower-case hex; equal workflow plans have equal digests.",
    }),
    itemCount: t.exposeInt("itemCount", { description: "How many items it has." }),
    canonicalText: t.string({
      description: "Its canonical text: compact JSON with the keys in their fixed order.",
      resolve: async ({ content, usage }) => {
        const { canonicalText } = await content();
        return shownText(usage, () => canonicalText);
      },
    }),
    ...modelFields(t, workflowPlan, async ({ content }) => (await content()).plan, ["items"]),
    lane: t.string({
      description: "The workflow whose hooks are used: `hooksFrom`, else `workflow`.",
      resolve: async ({ content }) => laneOf((await content()).plan),
    }),
    items: t.field({
      type: WorkflowPlanItemConnectionRef,
      description: "What is to be carried out, in order, page by page.",
      args: {
        filter: t.arg({
          type: WorkflowItemFilterInput,
          description: "Which items; without it all.",
        }),
        first: t.arg.int({ description: "How many of the first items: at most 100, by default 20." }),
        after: t.arg.string({ description: "The cursor that the page begins after." }),
      },
      validate: { schema: itemPageSchema },
      extensions: { argsSchema: itemPageSchema },
      resolve: async ({ content, usage }, args) => itemPage((await content()).items, args, usage),
    }),
    item: t.field({
      type: WorkflowPlanItemRef,
      nullable: true,
      description: "One item; null if there is none with this id.",
      args: { id: t.arg.string({ required: true, description: "The item's id." }) },
      resolve: async ({ content, usage }, { id }) => {
        const { items } = await content();
        const found = items.named(id);
        return found === undefined ? null : { ...found, items, usage };
      },
    }),
  }),
});
