/** The workflow plans of a plan. */
import { z } from "zod";
import { builder } from "../../graphql/builder.js";
import { PAGE_SIZE_LIMIT, pageSize } from "../../plan/query-inputs.js";
import { PlanRef } from "../../plan/schema/plan.js";
import { frozenNode, WorkflowPlanRef } from "./workflow-plan.js";

/** How many revisions one field answers with at most. */
const REVISIONS_LIMIT = PAGE_SIZE_LIMIT;

const revisionArgs = { schema: z.looseObject({ first: pageSize }) };

builder.objectFields(PlanRef, (t) => ({
  workflowPlan: t.field({
    type: WorkflowPlanRef,
    nullable: true,
    description: "The workflow plan that is carried out: the one that was frozen last; null before.",
    resolve: ({ plan }, _args, { workflows }, { rootValue }) =>
      plan.workflow === null ? null : frozenNode(plan.id, plan.workflow, workflows(rootValue)),
  }),
  workflowPlanRevisions: t.field({
    type: [WorkflowPlanRef],
    description: "All workflow plans that were frozen on the plan, oldest first; the last one counts.",
    args: {
      first: t.arg.int({ description: "How many at most; 100 without a value, which is the most." }),
      after: t.arg.int({ description: "The number of the revision that the list begins after." }),
    },
    validate: revisionArgs,
    extensions: { argsSchema: revisionArgs.schema },
    resolve: async ({ plan }, args, context, { rootValue }) => {
      const workflows = context.workflows(rootValue);
      const current = plan.workflow;
      if (current === null) return [];
      const size = args.first ?? REVISIONS_LIMIT;
      const after = Math.max(args.after ?? 0, 0);
      // The plan knows its current revision itself; after a dry run it stands nowhere else.
      const window = { planId: plan.id, after, before: current.revision, size };
      const isEmpty = size === 0 || after + 1 >= current.revision;
      const earlier = isEmpty ? [] : await workflows.revisions(window);
      const all = after < current.revision ? [...earlier, current] : earlier;
      return all.slice(0, size).map((revision) => frozenNode(plan.id, revision, workflows));
    },
  }),
}));
