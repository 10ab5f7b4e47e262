/** A plan in the API. Everything that nests was read with the plan (see shape), so resolvers only hand it out. */
import { builder } from "../../graphql/builder.js";
import { connection } from "../../graphql/connection.js";
import type { Context } from "../../graphql/context.js";
import { cliDict, cliJson } from "../cli-dictionary.js";
import { type EffectiveInvariant, effectiveInvariants } from "../invariants.js";
import type { Invariant, Plan, ProjectLink } from "../plan.js";
import type { EventPage, PlanNode, PlanPage } from "../reading.js";
import { availableActions, PlanActionRef } from "./action.js";
import { AutomationLevelEnum, InvariantScopeEnum, PlanPhaseEnum, PlanStateEnum } from "./enums.js";
import { PlanEventConnectionRef } from "./event.js";
import {
  eventPageArgs,
  eventPageRequest,
  NO_FACTS,
  pageValidation,
  planPageArgs,
  planPageRequest,
} from "./page-request.js";
import { PhaseProgressRef, progressOfEveryPhase } from "./phase-progress.js";
import { nestedKey } from "./shape.js";

const ProjectLinkRef = builder.objectRef<ProjectLink>("ProjectLink").implement({
  description: "A project that a plan works on.",
  fields: (t) => ({
    projectName: t.exposeString("projectName", { description: "The project's namespaced name." }),
    alias: t.exposeString("alias", {
      nullable: true,
      description: "What the plan calls it; unique in the plan. Null without one.",
    }),
    readOnly: t.exposeBoolean("readOnly", { description: "Whether the plan may only read it." }),
  }),
});

const InvariantRef = builder.objectRef<Invariant>("Invariant").implement({
  description:
    "A sentence that must hold while a plan is carried out. Invariants are added, never changed or removed.",
  fields: (t) => ({
    id: t.expose("id", { type: "ULID", description: "The invariant's id." }),
    text: t.exposeString("text", { description: "The sentence." }),
    scope: t.expose("scope", { type: InvariantScopeEnum, description: "The tier that it comes from." }),
    sourceName: t.exposeString("sourceName", {
      nullable: true,
      description: "What it comes from, such as the name of an action; null if nobody said.",
    }),
    nonOverridable: t.exposeBoolean("nonOverridable", {
      description: "Whether it stands even where a higher tier says the same; only GLOBAL ones can.",
    }),
  }),
});

const EffectiveInvariantRef = builder.objectRef<EffectiveInvariant>("EffectiveInvariant").implement({
  description: "An invariant in force, with those that say the same in other tiers.",
  fields: (t) => ({
    invariant: t.expose("invariant", { type: InvariantRef, description: "The one that stands." }),
    shadows: t.expose("shadows", {
      type: [InvariantRef],
      description: "Those of the same text that it stands for.",
    }),
  }),
});

export const PlanRef = builder.objectRef<PlanNode>("Plan");

export const PlanConnectionRef = connection<PlanNode, string>({
  name: "Plan",
  description: "A page of plans, in a total order.",
  node: PlanRef,
  cursorType: "String",
  cursorText: (cursor) => cursor,
});

/** A plan of which nothing nested was asked for. */
export function bare(plan: Plan): PlanNode {
  return { plan, nested: new Map() };
}

PlanRef.implement({
  description:
    "The unit of orchestration for agents: made from an action, aimed at projects, moving through its phases in strict order.",
  fields: (t) => ({
    id: t.field({ type: "ULID", description: "The plan's id.", resolve: ({ plan }) => plan.id }),
    name: t.string({
      description: "The plan's namespaced name. Names are not unique.",
      resolve: ({ plan }) => plan.name,
    }),
    actionName: t.string({
      description:
        "The namespaced name of the action that the plan was made from; it may live on another server.",
      resolve: ({ plan }) => plan.actionName,
    }),
    description: t.string({
      description: "What the plan is for; may be empty.",
      resolve: ({ plan }) => plan.description,
    }),
    definitionOfDone: t.string({
      nullable: true,
      description: "When the plan counts as done; null if nobody said.",
      resolve: ({ plan }) => plan.definitionOfDone,
    }),
    phase: t.field({
      type: PlanPhaseEnum,
      description: "The phase that the plan is in.",
      resolve: ({ plan }) => plan.phase,
    }),
    state: t.field({
      type: PlanStateEnum,
      description: "How it stands in that phase.",
      resolve: ({ plan }) => plan.state,
    }),
    phases: t.field({
      type: [PhaseProgressRef],
      description:
        "How far the plan got in each of the four phases, in their order; phases not entered included.",
      resolve: ({ plan }) => progressOfEveryPhase(plan),
    }),
    projectLinks: t.field({
      type: [ProjectLinkRef],
      description: "The projects that the plan works on, in the order given.",
      resolve: ({ plan }) => plan.projectLinks,
    }),
    projectNames: t.stringList({
      description: "The names of the linked projects, in the same order.",
      resolve: ({ plan }) => plan.projectLinks.map(({ projectName }) => projectName),
    }),
    automationLevel: t.field({
      type: AutomationLevelEnum,
      description: "How far the plan goes on by itself.",
      resolve: ({ plan }) => plan.automationLevel,
    }),
    automationProfileName: t.string({
      nullable: true,
      description: "The namespaced name of the automation profile; null without one.",
      resolve: ({ plan }) => plan.automationProfileName,
    }),
    effectiveProfileSnapshot: t.field({
      type: "JSONObject",
      nullable: true,
      description:
        "The automation profile as it was when the plan was made; it never changes. Null without one.",
      resolve: ({ plan }) => plan.effectiveProfileSnapshot,
    }),
    invariants: t.field({
      type: [InvariantRef],
      description: "All invariants that the plan is bound to, in the order in which they were added.",
      resolve: ({ plan }) => plan.invariants,
    }),
    effectiveInvariants: t.field({
      type: [EffectiveInvariantRef],
      description:
        "The invariants in force, by precedence: of several with the same text the highest tier stands.",
      resolve: ({ plan }) => effectiveInvariants(plan.invariants),
    }),
    arguments: t.field({
      type: "JSONObject",
      description: "The arguments that the action was given, as they were received.",
      resolve: ({ plan }) => plan.arguments,
    }),
    argumentsOrder: t.stringList({
      description: "The names of the arguments in their order, which a JSON object does not always keep.",
      resolve: ({ plan }) => plan.argumentsOrder,
    }),
    strategyActor: t.string({
      nullable: true,
      description: "Who produces the strategy; null if nobody said.",
      resolve: ({ plan }) => plan.strategyActor,
    }),
    executionActor: t.string({
      nullable: true,
      description: "Who carries out the changes; null if nobody said.",
      resolve: ({ plan }) => plan.executionActor,
    }),
    estimationActor: t.string({
      nullable: true,
      description: "Who estimates the plan; null if nobody said.",
      resolve: ({ plan }) => plan.estimationActor,
    }),
    invariantActor: t.string({
      nullable: true,
      description: "Who judges whether the invariants hold; null if nobody said.",
      resolve: ({ plan }) => plan.invariantActor,
    }),
    changesetId: t.string({
      nullable: true,
      description: "The change set that a phase made; null until one is recorded.",
      resolve: ({ plan }) => plan.changesetId,
    }),
    sandboxRefs: t.stringList({
      description: "The sandboxes that phases worked in, without repeats.",
      resolve: ({ plan }) => plan.sandboxRefs,
    }),
    validationSummary: t.field({
      type: "JSONObject",
      nullable: true,
      description:
        "What validations found, merged from all reports by top-level key; null until one is recorded.",
      resolve: ({ plan }) => plan.validationSummary,
    }),
    estimate: t.field({
      type: "JSONObject",
      nullable: true,
      description: "The estimate of the estimation actor; null until one is recorded.",
      resolve: ({ plan }) => plan.estimate,
    }),
    decisionRootId: t.field({
      type: "ULID",
      nullable: true,
      description: "The root of the tree of decisions behind the plan; null until it is recorded.",
      resolve: ({ plan }) => plan.decisionRootId,
    }),
    errorMessage: t.string({
      nullable: true,
      description:
        "The newest error of the phase; null once it was retried. The plan's events keep every one.",
      resolve: ({ plan }) => plan.errorMessage,
    }),
    errorDetails: t.field({
      type: "JSONObject",
      nullable: true,
      description:
        "Details of the phase's errors, merged from all reports by top-level key; null without any.",
      resolve: ({ plan }) => plan.errorDetails,
    }),
    tags: t.stringList({ description: "The plan's tags, an ordered set.", resolve: ({ plan }) => plan.tags }),
    parentPlanId: t.field({
      type: "ULID",
      nullable: true,
      description: "The plan that this one is a child of; null for a root.",
      resolve: ({ plan }) => plan.parentPlanId,
    }),
    rootPlanId: t.field({
      type: "ULID",
      description: "The root of the plan's tree; a root names itself.",
      resolve: ({ plan }) => plan.rootPlanId,
    }),
    depth: t.int({
      description: "How many plans stand above this one; 0 for a root.",
      resolve: ({ plan }) => plan.depth,
    }),
    version: t.int({
      description: "Counts the plan's events, from 1: it moves with every change.",
      resolve: ({ plan }) => plan.version,
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "When the plan was made.",
      resolve: ({ plan }) => plan.createdAt,
    }),
    updatedAt: t.field({
      type: "DateTime",
      description: "When it last changed.",
      resolve: ({ plan }) => plan.updatedAt,
    }),
    appliedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it moved into APPLIED; null before.",
      resolve: ({ plan }) => plan.appliedAt,
    }),
    cancelledAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it was cancelled; null if it was not.",
      resolve: ({ plan }) => plan.cancelledAt,
    }),
    cancelReason: t.string({
      nullable: true,
      description: "Why it was cancelled; null if it was not, or nobody said.",
      resolve: ({ plan }) => plan.cancelReason,
    }),
    archivedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it was archived; null if it is not.",
      resolve: ({ plan }) => plan.archivedAt,
    }),
    cliDict: t.field({
      type: "JSONObject",
      description: "The plan as the command line shows it: snake_case keys, unset ones left out.",
      resolve: ({ plan }) => cliDict(plan),
    }),
    cliJson: t.string({
      description: "The same as JSON text, which keeps the order of all keys.",
      resolve: ({ plan }) => cliJson(plan),
    }),
    availableActions: t.field({
      type: [PlanActionRef],
      description:
        "For every command whether it is allowed now, and if not, every reason why: what a button needs.",
      resolve: ({ plan }) => availableActions(plan),
    }),
    parent: t.field({
      type: PlanRef,
      nullable: true,
      description: "The plan that this one is a child of; null for a root.",
      resolve: (node) => prepared<PlanNode | null>(node, "parent", {}),
    }),
    root: t.field({
      type: PlanRef,
      description: "The root of the plan's tree; a root is its own.",
      resolve: (node) => prepared<PlanNode>(node, "root", {}),
    }),
    children: t.field({
      type: PlanConnectionRef,
      description: "The plans that were made under this one.",
      args: planPageArgs(),
      validate: pageValidation,
      resolve: (node, args) => {
        planPageRequest(args, new Map(), NO_FACTS);
        return prepared<PlanPage>(node, "children", args);
      },
    }),
    events: t.field({
      type: PlanEventConnectionRef,
      description: "The plan's history, oldest first.",
      args: eventPageArgs(),
      validate: pageValidation,
      resolve: (node, args, { feeds }: Context) => {
        eventPageRequest(args, feeds.readCursor, NO_FACTS);
        return prepared<EventPage>(node, "events", args);
      },
    }),
  }),
});

function prepared<Answer>(node: PlanNode, field: string, args: object): Answer {
  const answer = node.nested.get(nestedKey(field, args));
  if (answer === undefined) throw new Error(`The field ${field} was not read with its plan.`);
  return answer as Answer;
}
