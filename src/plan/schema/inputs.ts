/** The inputs of the mutations. Their rules stand in ../inputs, and hang on the arguments through the zod plugin. */
import { builder } from "../../graphql/builder.js";
import type { CreatePlanInput, InputOf } from "../inputs.js";
import { AutomationLevelEnum, InvariantScopeEnum, PlanPhaseEnum } from "./enums.js";

type Fields = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, "InputObject">;

const commandFields = (t: Fields) => ({
  idempotencyKey: t.string({
    description:
      "A key of the client's making: the same command sent again with it answers the first success instead of happening twice. Kept for at least 24 hours.",
  }),
  dryRun: t.boolean({
    defaultValue: false,
    description: "True: answer what the command would answer, and change nothing.",
  }),
});

const planCommandFields = (t: Fields) => ({
  planId: t.field({ type: "ULID", required: true, description: "The plan." }),
  expectedVersion: t.int({
    description: "The version that the plan must have; another one refuses the command as VERSION_CONFLICT.",
  }),
  ...commandFields(t),
});

const noteField = (t: Fields) => ({
  note: t.string({ description: "A remark that is kept with the event." }),
});

const artifactFields = (t: Fields) => ({
  changesetId: t.string({ description: "The change set that was made; replaces an earlier one." }),
  sandboxRefs: t.stringList({ description: "Sandboxes that were used; added to those recorded." }),
  validationSummary: t.field({
    type: "JSONObject",
    description: "What validations found; merged into what is recorded by top-level key.",
  }),
  estimate: t.field({
    type: "JSONObject",
    description: "The estimate of the estimation actor; replaces an earlier one.",
  }),
  decisionRootId: t.field({
    type: "ULID",
    description: "The root of the tree of decisions; replaces an earlier one.",
  }),
});

const ProjectLinkInput = builder.inputType("ProjectLinkInput", {
  description: "A project that a plan works on.",
  fields: (t) => ({
    projectName: t.string({
      required: true,
      description: "The project's name, `[[server:]namespace/]name`.",
    }),
    alias: t.string({ description: "What the plan calls it; unique in the plan." }),
    readOnly: t.boolean({ description: "True: the plan may only read it. False without a value." }),
  }),
});

const InvariantInput = builder.inputType("InvariantInput", {
  description: "A sentence that must hold while a plan is carried out.",
  fields: (t) => ({
    text: t.string({ required: true, description: "The sentence; at most 4,000 characters." }),
    scope: t.field({
      type: InvariantScopeEnum,
      description: "The tier that it comes from; PLAN without a value.",
    }),
    sourceName: t.string({ description: "What it comes from, such as the name of an action." }),
    nonOverridable: t.boolean({
      description: "True: it stands even where a higher tier says the same. Only for GLOBAL ones.",
    }),
  }),
});

export const WorkflowPlanDocumentInput = builder.inputType("WorkflowPlanDocument", {
  isOneOf: true,
  description:
    "A workflow plan as one JSON document: at most 3 MiB, 10,000 items, 64 levels deep. Send it in a variable.",
  fields: (t) => ({
    text: t.string({
      description: "Its JSON text; keeps the order of all keys, and `1.0` apart from `1`.",
    }),
    json: t.field({
      type: "JSON",
      description: "Its JSON value; what a JavaScript object cannot keep of it is lost.",
    }),
  }),
});

export const CreatePlanInputRef = builder.inputRef<CreatePlanInput>("CreatePlanInput").implement({
  description: "A new plan.",
  fields: (t) => ({
    name: t.string({
      description:
        "The plan's name, `[[server:]namespace/]name`; without one it is made from the action and the id.",
    }),
    actionName: t.string({ required: true, description: "The action that the plan is made from." }),
    description: t.string({ description: "What the plan is for; at most 20,000 characters." }),
    definitionOfDone: t.string({ description: "When the plan counts as done; at most 20,000 characters." }),
    projectLinks: t.field({
      type: [ProjectLinkInput],
      required: true,
      description: "The projects that the plan works on: 1 to 100, in their order.",
    }),
    automationLevel: t.field({
      type: AutomationLevelEnum,
      description: "How far the plan goes on by itself; MANUAL without a value.",
    }),
    automationProfileName: t.string({ description: "The name of the automation profile." }),
    effectiveProfileSnapshot: t.field({
      type: "JSONObject",
      description: "The automation profile as it is now, to be frozen in the plan.",
    }),
    invariants: t.field({
      type: [InvariantInput],
      description: "What the plan is bound to: at most 500, in their order.",
    }),
    arguments: t.field({
      type: "JSONObject",
      description: "The action's arguments: at most 256 KiB as JSON text.",
    }),
    argumentsOrder: t.stringList({
      description:
        "The names of the arguments in their order. Without it, the order received, in which names like `10` come first.",
    }),
    strategyActor: t.string({ description: "Who produces the strategy." }),
    executionActor: t.string({ description: "Who carries out the changes." }),
    estimationActor: t.string({ description: "Who estimates the plan." }),
    invariantActor: t.string({ description: "Who judges whether the invariants hold." }),
    tags: t.stringList({ description: "At most 64 tags; repeats count once." }),
    parentPlanId: t.field({ type: "ULID", description: "The plan that this one is a child of." }),
    ...commandFields(t),
  }),
});

/** The input of each mutation on an existing plan. */
export const commandInputs = {
  ADVANCE_PLAN: builder.inputRef<InputOf["ADVANCE_PLAN"]>("AdvancePlanInput").implement({
    description: "The move of a plan into its next phase.",
    fields: (t) => ({
      ...planCommandFields(t),
      to: t.field({
        type: PlanPhaseEnum,
        required: true,
        description: "The phase to move into; explicit, so that a repeat cannot move twice.",
      }),
      workflowDigest: t.string({
        description:
          "The digest of the workflow plan that was looked at: where another one is frozen, or none, the move is rejected as WORKFLOW_CHANGED.",
      }),
      ...noteField(t),
    }),
  }),
  START_PHASE: builder.inputRef<InputOf["START_PHASE"]>("StartPhaseInput").implement({
    description: "The start of a plan's phase.",
    fields: planCommandFields,
  }),
  COMPLETE_PHASE: builder.inputRef<InputOf["COMPLETE_PHASE"]>("CompletePhaseInput").implement({
    description: "The completion of a plan's phase, with what it made.",
    fields: (t) => ({ ...planCommandFields(t), ...artifactFields(t), ...noteField(t) }),
  }),
  FAIL_PHASE: builder.inputRef<InputOf["FAIL_PHASE"]>("FailPhaseInput").implement({
    description: "An error of a plan's phase, the first or a further one.",
    fields: (t) => ({
      ...planCommandFields(t),
      message: t.string({ required: true, description: "What went wrong; at most 20,000 characters." }),
      details: t.field({
        type: "JSONObject",
        description: "More about it; merged with what earlier reports said, by top-level key.",
      }),
    }),
  }),
  RETRY_PHASE: builder.inputRef<InputOf["RETRY_PHASE"]>("RetryPhaseInput").implement({
    description: "The retry of a plan's failed phase.",
    fields: planCommandFields,
  }),
  CANCEL_PLAN: builder.inputRef<InputOf["CANCEL_PLAN"]>("CancelPlanInput").implement({
    description: "The end of a plan that is given up.",
    fields: (t) => ({
      ...planCommandFields(t),
      reason: t.string({ description: "Why; at most 20,000 characters." }),
    }),
  }),
  ADD_INVARIANT: builder.inputRef<InputOf["ADD_INVARIANT"]>("AddInvariantInput").implement({
    description: "One more invariant of a plan.",
    fields: (t) => ({
      ...planCommandFields(t),
      invariant: t.field({
        type: InvariantInput,
        required: true,
        description: "The invariant; it goes to the end.",
      }),
    }),
  }),
  RECORD_ARTIFACTS: builder.inputRef<InputOf["RECORD_ARTIFACTS"]>("RecordArtifactsInput").implement({
    description: "What a plan's phase has made; at least one of its fields is given.",
    fields: (t) => ({ ...planCommandFields(t), ...artifactFields(t) }),
  }),
  FREEZE_WORKFLOW_PLAN: builder.inputType("FreezeWorkflowPlanInput", {
    description: "The workflow plan that is to be carried out.",
    fields: (t) => ({
      ...planCommandFields(t),
      document: t.field({
        type: WorkflowPlanDocumentInput,
        required: true,
        description: "The workflow plan.",
      }),
    }),
  }),
  SET_TAGS: builder.inputRef<InputOf["SET_TAGS"]>("SetTagsInput").implement({
    description: "New tags of a plan, in place of all it has.",
    fields: (t) => ({
      ...planCommandFields(t),
      tags: t.stringList({
        required: true,
        description: "At most 64 tags; repeats count once, none takes all away.",
      }),
    }),
  }),
  ARCHIVE_PLAN: builder.inputRef<InputOf["ARCHIVE_PLAN"]>("ArchivePlanInput").implement({
    description: "A final plan to be put out of sight.",
    fields: planCommandFields,
  }),
  UNARCHIVE_PLAN: builder.inputRef<InputOf["UNARCHIVE_PLAN"]>("UnarchivePlanInput").implement({
    description: "An archived plan to be brought back.",
    fields: planCommandFields,
  }),
};
