/** The filter of the items of a workflow plan. */
import { z } from "zod";
import { builder } from "../../graphql/builder.js";
import { values } from "../../plan/query-inputs.js";
import type { ItemFilter } from "../item-index.js";
import { owner, phase } from "../model/enumerations.js";
import type { WorkflowPlanItem } from "../model/item.js";
import { enumOf } from "./model-types.js";

const OwnerEnum = enumOf(owner);
const PhaseEnum = enumOf(phase);

export const WorkflowItemFilterInput = builder.inputRef<ItemFilter>("WorkflowPlanItemFilter").implement({
  description:
    "Conditions on items; all that are given must hold. A list is met by any of its values, so an empty one by no item.",
  fields: (t) => ({
    ids: t.stringList({ description: "With one of these ids." }),
    owners: t.field({ type: [OwnerEnum], description: "Carried out by one of these." }),
    phases: t.field({ type: [PhaseEnum], description: "In one of these phases." }),
    steps: t.stringList({ description: "Of one of these steps." }),
    kinds: t.stringList({ description: "Of one of these kinds, such as `prompt` or `loop`." }),
    loopIds: t.stringList({ description: "In one of these loops." }),
  }),
});

const texts = values(z.string());

export const itemFilterSchema: z.ZodType<ItemFilter> = z.object({
  ids: texts,
  owners: values(z.custom<WorkflowPlanItem["owner"]>()),
  phases: values(z.custom<WorkflowPlanItem["phase"]>()),
  steps: texts,
  kinds: texts,
  loopIds: texts,
});
