/** The refusals of domain.md §5 as GraphQL types, and the unions that mutations answer with. */
import type { GraphQLResolveInfo } from "graphql";
import { builder } from "../../graphql/builder.js";
import type { Context } from "../../graphql/context.js";
import type { Success } from "../commands/commands.js";
import type { Plan, Position } from "../plan.js";
import type { PlanNode } from "../reading.js";
import type { InputIssue, Refusal, RefusalCode } from "../refusals.js";
import { BlockerRef } from "./action.js";
import { IssueCodeEnum, PlanPhaseEnum, PlanStateEnum, RefusalCodeEnum } from "./enums.js";
import { bare, PlanRef } from "./plan.js";
import { shapeOfPlan } from "./shape.js";

type RefusalOf<Code extends RefusalCode> = Extract<Refusal, { readonly code: Code }>;

const RefusalRef = builder.interfaceRef<Refusal>("Refusal").implement({
  description: "A command that did not happen, and why. Nothing was changed.",
  fields: (t) => ({
    code: t.expose("code", { type: RefusalCodeEnum, description: "The kind of refusal." }),
    message: t.exposeString("message", { description: "The refusal in a sentence." }),
  }),
});

const PositionRef = builder.objectRef<Position>("PlanPosition").implement({
  description: "Where a plan stands.",
  fields: (t) => ({
    phase: t.expose("phase", { type: PlanPhaseEnum, description: "The phase." }),
    state: t.expose("state", { type: PlanStateEnum, description: "The state in it." }),
  }),
});

export const InputIssueRef = builder.objectRef<InputIssue>("InputIssue").implement({
  description: "A rule that an input breaks.",
  fields: (t) => ({
    path: t.exposeString("path", {
      description:
        "Where, from the input inwards, such as `projectLinks[1].alias`; inside of a workflow plan the path in it follows, such as `document$.items[3].owner`.",
    }),
    code: t.expose("code", { type: IssueCodeEnum, description: "The kind of fault." }),
    message: t.exposeString("message", { description: "The fault in a sentence." }),
  }),
});

const interfaces = [RefusalRef];

const NotFoundRef = builder.objectRef<RefusalOf<"NOT_FOUND">>("NotFound").implement({
  description: "There is no such plan.",
  interfaces,
  fields: (t) => ({ id: t.expose("id", { type: "ULID", description: "The id that no plan has." }) }),
});

const InvalidInputRef = builder.objectRef<RefusalOf<"INVALID_INPUT">>("InvalidInput").implement({
  description: "The input breaks rules.",
  interfaces,
  fields: (t) => ({
    issues: t.expose("issues", { type: [InputIssueRef], description: "Every fault of the input at once." }),
  }),
});

const TransitionRejectedRef = builder
  .objectRef<RefusalOf<"TRANSITION_REJECTED">>("TransitionRejected")
  .implement({
    description: "The lifecycle does not allow the command now.",
    interfaces,
    fields: (t) => ({
      from: t.expose("from", { type: PositionRef, description: "Where the plan stands." }),
      to: t.expose("to", { type: PositionRef, description: "Where the command would have brought it." }),
      blockers: t.expose("blockers", { type: [BlockerRef], description: "Every reason why not." }),
    }),
  });

const VersionConflictRef = builder.objectRef<RefusalOf<"VERSION_CONFLICT">>("VersionConflict").implement({
  description: "The plan has another version than `expectedVersion`: somebody changed it meanwhile.",
  interfaces,
  fields: (t) => ({
    actualVersion: t.exposeInt("actualVersion", { description: "The version that the plan has." }),
    plan: t.field({
      type: PlanRef,
      description: "The plan as it is now.",
      resolve: ({ plan }, _args, context, info) => withNested(plan, context, info),
    }),
  }),
});

const IdempotencyConflictRef = builder
  .objectRef<RefusalOf<"IDEMPOTENCY_CONFLICT">>("IdempotencyConflict")
  .implement({
    description: "The idempotency key was used by another command, or with another input.",
    interfaces,
    fields: (t) => ({
      plan: t.field({
        type: PlanRef,
        description: "The plan of the command that used the key first, as it is now.",
        resolve: ({ plan }, _args, context, info) => withNested(plan, context, info),
      }),
    }),
  });

const REFUSAL_REFS = [
  NotFoundRef,
  InvalidInputRef,
  TransitionRejectedRef,
  VersionConflictRef,
  IdempotencyConflictRef,
];

const TYPE_NAMES: { readonly [Code in RefusalCode]: string } = {
  NOT_FOUND: "NotFound",
  INVALID_INPUT: "InvalidInput",
  TRANSITION_REJECTED: "TransitionRejected",
  VERSION_CONFLICT: "VersionConflict",
  IDEMPOTENCY_CONFLICT: "IdempotencyConflict",
};

const CommandSuccessRef = builder.interfaceRef<Success>("CommandSuccess").implement({
  description: "A command that happened (or, as a dry run, would have).",
  fields: (t) => ({
    plan: t.field({
      type: PlanRef,
      description: "The plan after the command.",
      resolve: ({ plan }, _args, context, info) => withNested(plan, context, info),
    }),
    cursor: t.field({
      type: "EventCursor",
      description:
        "The place of the command's last event in the log, to wait in a feed for one's own write. Of a dry run: the head of the log.",
      resolve: ({ seq }, _args, { feeds }) => feeds.cursor(seq),
    }),
  }),
});

/** The union that the mutation NAME answers with: NAMESuccess, or one of the refusals. */
export function resultOf(name: string) {
  const success = `${name}Success`;
  const SuccessRef = builder.objectRef<Success>(success).implement({
    description: `The success of the mutation ${name[0]?.toLowerCase()}${name.slice(1)}.`,
    interfaces: [CommandSuccessRef],
  });
  return builder.unionType(`${name}Result`, {
    description: `What the mutation ${name[0]?.toLowerCase()}${name.slice(1)} answers: its success, or one refusal.`,
    types: [SuccessRef, ...REFUSAL_REFS],
    resolveType: (outcome) => ("code" in outcome ? TYPE_NAMES[outcome.code] : success),
  });
}

/** The plan of an answer, also of a dry run, which stored none; what the selection nests is read as it is now. */
async function withNested(plan: Plan, context: Context, info: GraphQLResolveInfo): Promise<PlanNode> {
  const shape = shapeOfPlan(info, context);
  return shape.size === 0 ? bare(plan) : context.plans.around(plan, shape);
}
