/** A plan in the API. Everything that nests was read with the plan (see shape), so resolvers only hand it out. */
import { settled, settledBy } from "../../execution/settled.js";
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
  planPageArgs,
  planPageRequest,
  soundPageArgs,
} from "./page-request.js";
import { PhaseProgressRef, progressOfEveryPhase } from "./phase-progress.js";
import { nestedKey } from "./shape.js";

const ProjectLinkRef = builder.objectRef<ProjectLink>("ProjectLink").implement({
  extensions: settled,
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
  extensions: settled,
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
  extensions: settled,
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

const ofThePlan = settledBy(({ plan }: PlanNode) => plan);

/** A field whose value follows from the plan itself. */
function own<Value>(read: (plan: Plan) => Value) {
  return { resolve: ({ plan }: PlanNode) => read(plan), extensions: ofThePlan };
}

PlanRef.implement({
  description:
    "The unit of orchestration for agents: made from an action, aimed at projects, moving through its phases in strict order.",
  fields: (t) => ({
    id: t.field({ type: "ULID", description: "The plan's id.", ...own((plan) => plan.id) }),
    name: t.string({
      description: "The plan's namespaced name. Names are not unique.",
      ...own((plan) => plan.name),
    }),
    actionName: t.string({
      description:
        "The namespaced name of the action that the plan was made from; it may live on another server.",
      ...own((plan) => plan.actionName),
    }),
    description: t.string({
      description: "What the plan is for; may be empty.",
      ...own((plan) => plan.description),
    }),
    definitionOfDone: t.string({
      nullable: true,
      description: "When the plan counts as done; null if nobody said.",
      ...own((plan) => plan.definitionOfDone),
    }),
    phase: t.field({
      type: PlanPhaseEnum,
      description: "The phase that the plan is in.",
      ...own((plan) => plan.phase),
    }),
    state: t.field({
      type: PlanStateEnum,
      description: "How it stands in that phase.",
      ...own((plan) => plan.state),
    }),
    phases: t.field({
      type: [PhaseProgressRef],
      description:
        "How far the plan got in each of the four phases, in their order; phases not entered included.",
      ...own((plan) => progressOfEveryPhase(plan)),
    }),
    projectLinks: t.field({
      type: [ProjectLinkRef],
      description: "The projects that the plan works on, in the order given.",
      ...own((plan) => plan.projectLinks),
    }),
    projectNames: t.stringList({
      description: "The names of the linked projects, in the same order.",
      ...own((plan) => plan.projectLinks.map(({ projectName }) => projectName)),
    }),
    automationLevel: t.field({
      type: AutomationLevelEnum,
      description: "How far the plan goes on by itself.",
      ...own((plan) => plan.automationLevel),
    }),
    automationProfileName: t.string({
      nullable: true,
      description: "The namespaced name of the automation profile; null without one.",
      ...own((plan) => plan.automationProfileName),
    }),
    effectiveProfileSnapshot: t.field({
      type: "JSONObject",
      nullable: true,
      description:
        "The automation profile as it was when the plan was made; it never changes. Null without one.",
      ...own((plan) => plan.effectiveProfileSnapshot),
    }),
    invariants: t.field({
      type: [InvariantRef],
      description: "All invariants that the plan is bound to, in the order in which they were added.",
      ...own((plan) => plan.invariants),
    }),
    effectiveInvariants: t.field({
      type: [EffectiveInvariantRef],
      description:
        "The invariants in force, by precedence: of several with the same text the highest tier stands.",
      ...own((plan) => effectiveInvariants(plan.invariants)),
    }),
    arguments: t.field({
      type: "JSONObject",
      description: "The arguments that the action was given, as they were received.",
      ...own((plan) => plan.arguments),
    }),
    argumentsOrder: t.stringList({
      description: "The names of the arguments in their order, which a JSON object does not always keep.",
      ...own((plan) => plan.argumentsOrder),
    }),
    strategyActor: t.string({
      nullable: true,
      description: "Who produces the strategy; null if nobody said.",
      ...own((plan) => plan.strategyActor),
    }),
    executionActor: t.string({
      nullable: true,
      description: "Who carries out the changes; null if nobody said.",
      ...own((plan) => plan.executionActor),
    }),
    estimationActor: t.string({
      nullable: true,
      description: "Who estimates the plan; null if nobody said.",
      ...own((plan) => plan.estimationActor),
    }),
    invariantActor: t.string({
      nullable: true,
      description: "Who judges whether the invariants hold; null if nobody said.",
      ...own((plan) => plan.invariantActor),
    }),
    changesetId: t.string({
      nullable: true,
      description: "The change set that a phase made; null until one is recorded.",
      ...own((plan) => plan.changesetId),
    }),
    sandboxRefs: t.stringList({
      description: "The sandboxes that phases worked in, without repeats.",
      ...own((plan) => plan.sandboxRefs),
    }),
    validationSummary: t.field({
      type: "JSONObject",
      nullable: true,
      description:
        "What validations found, merged from all reports by top-level key; null until one is recorded.",
      ...own((plan) => plan.validationSummary),
    }),
    estimate: t.field({
      type: "JSONObject",
      nullable: true,
      description: "The estimate of the estimation actor; null until one is recorded.",
      ...own((plan) => plan.estimate),
    }),
    decisionRootId: t.field({
      type: "ULID",
      nullable: true,
      description: "The root of the tree of decisions behind the plan; null until it is recorded.",
      ...own((plan) => plan.decisionRootId),
    }),
    errorMessage: t.string({
      nullable: true,
      description:
        "The newest error of the phase; null once it was retried. The plan's events keep every one.",
      ...own((plan) => plan.errorMessage),
    }),
    errorDetails: t.field({
      type: "JSONObject",
      nullable: true,
      description:
        "Details of the phase's errors, merged from all reports by top-level key; null without any.",
      ...own((plan) => plan.errorDetails),
    }),
    tags: t.stringList({ description: "The plan's tags, an ordered set.", ...own((plan) => plan.tags) }),
    parentPlanId: t.field({
      type: "ULID",
      nullable: true,
      description: "The plan that this one is a child of; null for a root.",
      ...own((plan) => plan.parentPlanId),
    }),
    rootPlanId: t.field({
      type: "ULID",
      description: "The root of the plan's tree; a root names itself.",
      ...own((plan) => plan.rootPlanId),
    }),
    depth: t.int({
      description: "How many plans stand above this one; 0 for a root.",
      ...own((plan) => plan.depth),
    }),
    version: t.int({
      description: "Counts the plan's events, from 1: it moves with every change.",
      ...own((plan) => plan.version),
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "When the plan was made.",
      ...own((plan) => plan.createdAt),
    }),
    updatedAt: t.field({
      type: "DateTime",
      description: "When it last changed.",
      ...own((plan) => plan.updatedAt),
    }),
    appliedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it moved into APPLIED; null before.",
      ...own((plan) => plan.appliedAt),
    }),
    cancelledAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it was cancelled; null if it was not.",
      ...own((plan) => plan.cancelledAt),
    }),
    cancelReason: t.string({
      nullable: true,
      description: "Why it was cancelled; null if it was not, or nobody said.",
      ...own((plan) => plan.cancelReason),
    }),
    archivedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it was archived; null if it is not.",
      ...own((plan) => plan.archivedAt),
    }),
    cliDict: t.field({
      type: "JSONObject",
      description: "The plan as the command line shows it: snake_case keys, unset ones left out.",
      ...own((plan) => cliDict(plan)),
    }),
    cliJson: t.string({
      description: "The same as JSON text, which keeps the order of all keys.",
      ...own((plan) => cliJson(plan)),
    }),
    availableActions: t.field({
      type: [PlanActionRef],
      description:
        "For every command whether it is allowed now, and if not, every reason why: what a button needs.",
      ...own((plan) => availableActions(plan)),
    }),
    parent: t.field({
      extensions: settled,
      type: PlanRef,
      nullable: true,
      description: "The plan that this one is a child of; null for a root.",
      resolve: (node) => prepared<PlanNode | null>(node, nestedKey("parent", {})),
    }),
    root: t.field({
      extensions: settled,
      type: PlanRef,
      description: "The root of the plan's tree; a root is its own.",
      resolve: (node) => prepared<PlanNode>(node, nestedKey("root", {})),
    }),
    children: t.field({
      extensions: settled,
      type: PlanConnectionRef,
      description: "The plans that were made under this one.",
      args: planPageArgs(),
      resolve: (node, args) =>
        prepared<PlanPage>(
          node,
          pageKey("children", args, (sound) => planPageRequest(sound, new Map(), NO_FACTS)),
        ),
    }),
    events: t.field({
      extensions: settled,
      type: PlanEventConnectionRef,
      description: "The plan's history, oldest first.",
      args: eventPageArgs(),
      resolve: (node, args, { feeds }: Context) =>
        prepared<EventPage>(
          node,
          pageKey("events", args, (sound) => eventPageRequest(sound, feeds.readCursor, NO_FACTS)),
        ),
    }),
  }),
});

/** The keys of pages whose arguments were found sound. All plans of an answer share the arguments of their fields. */
const soundKeys = new WeakMap<object, string>();

/** The key of a nested page. Arguments that break a rule are refused, by `read` those whose cursor is none. */
function pageKey<Args extends object>(field: string, args: Args, read: (sound: Args) => object): string {
  let key = soundKeys.get(args);
  if (key === undefined) {
    read(soundPageArgs(args));
    key = nestedKey(field, args);
    soundKeys.set(args, key);
  }
  return key;
}

function prepared<Answer>(node: PlanNode, key: string): Answer {
  const answer = node.nested.get(key);
  if (answer === undefined) throw new Error(`The field of the key ${key} was not read with its plan.`);
  return answer as Answer;
}
