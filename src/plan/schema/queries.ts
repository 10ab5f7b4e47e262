/** The queries about plans: one, a page, counts. */
import { builder } from "../../graphql/builder.js";
import { parseUlid } from "../identifiers.js";
import { ulid } from "../input-fields.js";
import { readPlanFilter } from "../query-inputs.js";
import { PlanCountsRef, planCountsArgs } from "./counts.js";
import { planPageArgs, planPageRequest, soundPageArgs } from "./page-request.js";
import { PlanConnectionRef, PlanRef } from "./plan.js";
import { shapeOfPage, shapeOfPlan } from "./shape.js";

builder.queryType({ description: "Everything that can be read. Reading never changes anything." });

builder.queryFields((t) => ({
  plan: t.field({
    type: PlanRef,
    nullable: true,
    description: "One plan; null if there is none with this id.",
    args: {
      id: t.arg({ type: "ULID", required: true, description: "The plan's id.", validate: { schema: ulid } }),
    },
    resolve: (_root, { id }, context, info) =>
      context.plans.plan(parseUlid(id) ?? id, shapeOfPlan(info, context)),
  }),
  plans: t.field({
    type: PlanConnectionRef,
    description: "Plans by filter and order, page by page.",
    args: planPageArgs(),
    resolve: (_root, given, context, info) => {
      const args = soundPageArgs(given);
      const { shape, asked } = shapeOfPage(info, context, args);
      return context.plans.page(planPageRequest(args, shape, asked));
    },
  }),
  planCounts: t.field({
    type: PlanCountsRef,
    description: "How many plans there are, by phase and state.",
    args: planCountsArgs(),
    resolve: (_root, { filter }, { plans }) => plans.counts(filter == null ? null : readPlanFilter(filter)),
  }),
}));
