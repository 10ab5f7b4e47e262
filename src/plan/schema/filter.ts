/** The filters and the order of plans as inputs. */
import { builder } from "../../graphql/builder.js";
import type { PlanEventFilter, PlanFilter, PlanOrder } from "../reading.js";
import {
  AutomationLevelEnum,
  OrderDirectionEnum,
  PlanEventTypeEnum,
  PlanOrderFieldEnum,
  PlanPhaseEnum,
  PlanStateEnum,
} from "./enums.js";

const TagFilterInput = builder.inputType("TagFilter", {
  description: "What the tags of a plan must be.",
  fields: (t) => ({
    any: t.stringList({ description: "At least one of these." }),
    all: t.stringList({ description: "Every one of these." }),
  }),
});

export const PlanFilterInput = builder.inputRef<PlanFilter>("PlanFilter").implement({
  description:
    "Conditions on plans; all that are given must hold. A list is met by any of its items, so an empty one by no plan.",
  fields: (t) => ({
    ids: t.field({ type: ["ULID"], description: "One of these plans." }),
    rootPlanId: t.field({ type: "ULID", description: "In the tree of this root plan, the root included." }),
    parentPlanId: t.field({ type: "ULID", description: "A child of this plan." }),
    hasParent: t.boolean({ description: "True: a child of any plan; false: a root." }),
    phases: t.field({ type: [PlanPhaseEnum], description: "In one of these phases." }),
    states: t.field({ type: [PlanStateEnum], description: "In one of these states." }),
    actionNames: t.stringList({ description: "Made from one of these actions." }),
    projectNames: t.stringList({ description: "Working on one of these projects." }),
    actors: t.stringList({ description: "With one of these as any of the plan's four actors." }),
    automationLevels: t.field({
      type: [AutomationLevelEnum],
      description: "On one of these automation levels.",
    }),
    tags: t.field({ type: TagFilterInput, description: "By tags." }),
    nameContains: t.string({ description: "With this in the name, in upper or lower case." }),
    createdAfter: t.field({ type: "DateTime", description: "Made later than this." }),
    createdBefore: t.field({ type: "DateTime", description: "Made earlier than this." }),
    updatedAfter: t.field({ type: "DateTime", description: "Last changed later than this." }),
    updatedBefore: t.field({ type: "DateTime", description: "Last changed earlier than this." }),
    includeArchived: t.boolean({
      description: "True: archived plans too. It is asked of the outermost filter only.",
    }),
    and: t.field({ type: [PlanFilterInput], description: "Meeting all of these." }),
    or: t.field({ type: [PlanFilterInput], description: "Meeting at least one of these." }),
    not: t.field({ type: PlanFilterInput, description: "Not meeting this." }),
  }),
});

export const PlanOrderInput = builder.inputRef<PlanOrder>("PlanOrder").implement({
  description: "One field of an order of plans; their ids decide between equals.",
  fields: (t) => ({
    field: t.field({ type: PlanOrderFieldEnum, required: true, description: "What to order by." }),
    direction: t.field({ type: OrderDirectionEnum, required: true, description: "Which end comes first." }),
  }),
});

export const PlanEventFilterInput = builder.inputRef<PlanEventFilter>("PlanEventFilter").implement({
  description:
    "Conditions on events; all that are given must hold. On phase, state and tags the plan may match before or after the event, so that who watches a phase hears of departures too. A list is met by any of its items, so an empty one by no event.",
  fields: (t) => ({
    planIds: t.field({ type: ["ULID"], description: "Of one of these plans." }),
    rootPlanId: t.field({
      type: "ULID",
      description: "Of this root plan or any of its descendants, those included that are made later.",
    }),
    actionNames: t.stringList({ description: "Of a plan made from one of these actions." }),
    projectNames: t.stringList({ description: "Of a plan that works on one of these projects." }),
    phases: t.field({ type: [PlanPhaseEnum], description: "Of a plan in one of these phases." }),
    states: t.field({ type: [PlanStateEnum], description: "Of a plan in one of these states." }),
    types: t.field({ type: [PlanEventTypeEnum], description: "Of one of these types." }),
    tags: t.stringList({ description: "Of a plan with one of these tags." }),
  }),
});
