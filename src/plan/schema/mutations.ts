/** The mutations: one for each command, all of one form. */
import type { InputRef } from "@pothos/core";
import type { GraphQLResolveInfo } from "graphql";
import type { z } from "zod";
import { builder } from "../../graphql/builder.js";
import type { Context } from "../../graphql/context.js";
import type { Outcome } from "../commands/commands.js";
import { commandSchemas, createPlanSchema, type InputOf } from "../inputs.js";
import type { PlanCommandName } from "../lifecycle.js";
import { CreatePlanInputRef, commandInputs } from "./inputs.js";
import { resultOf } from "./refusals.js";
import { refuseUnanswerable } from "./shape.js";

const DESCRIPTIONS: { readonly [Name in PlanCommandName]: string } = {
  ADVANCE_PLAN: "Move a plan whose phase is COMPLETE into the next phase.",
  START_PHASE: "Begin to carry out the phase of a QUEUED plan.",
  COMPLETE_PHASE: "Report that the phase of a PROCESSING plan finished; the plan may go on by itself.",
  FAIL_PHASE: "Report an error of the phase of a PROCESSING plan, or a further one of an ERRORED plan.",
  RETRY_PHASE: "Queue the failed phase of an ERRORED plan again.",
  CANCEL_PLAN: "Give a plan up, in whatever phase it is; not once it is applied.",
  ADD_INVARIANT: "Bind a plan that is not final to one more invariant.",
  RECORD_ARTIFACTS: "Record what the phase of a PROCESSING or COMPLETE plan has made.",
  FREEZE_WORKFLOW_PLAN:
    "Freeze the workflow plan that is to be carried out, in STRATEGIZE. Each freezing is a new revision, and the last one counts; the one that counts already is frozen no second time.",
  SET_TAGS: "Replace the tags of a plan.",
  ARCHIVE_PLAN: "Put a plan that is applied or cancelled out of sight.",
  UNARCHIVE_PLAN: "Bring an archived plan back.",
};

builder.mutationType({
  description: "The commands. Each answers with its success or with one typed refusal.",
});

builder.mutationField("createPlan", (t) =>
  t.field({
    type: resultOf("CreatePlan"),
    description: "Make a plan, in STRATEGIZE/QUEUED.",
    args: {
      input: t.arg({
        type: CreatePlanInputRef,
        required: true,
        description: "The new plan.",
        validate: { schema: createPlanSchema },
      }),
    },
    resolve: (_root, { input }, context, info) => {
      refuseUnanswerable(info, context);
      return carriedOut(context.commands.create(context.actor, input), input, context, info);
    },
  }),
);

/** The outcome of a command; of one that changed something, its answer may still fail. */
async function carriedOut(
  command: Promise<Outcome>,
  { dryRun }: { readonly dryRun?: boolean | null | undefined },
  { operation }: Context,
  { path }: GraphQLResolveInfo,
): Promise<Outcome> {
  const outcome = await command;
  if (!("code" in outcome) && dryRun !== true) operation.noteSuccess(String(path.key));
  return outcome;
}

for (const name of Object.keys(DESCRIPTIONS) as PlanCommandName[]) {
  addCommand(name);
}

function addCommand(name: PlanCommandName): void {
  const typeName = name.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const fieldName = `${typeName[0]?.toLowerCase()}${typeName.slice(1)}`;
  const inputRef: InputRef<InputOf[PlanCommandName]> = commandInputs[name];
  const schema: z.ZodType<InputOf[PlanCommandName]> = commandSchemas[name];
  builder.mutationField(fieldName, (t) =>
    t.field({
      type: resultOf(typeName),
      description: DESCRIPTIONS[name],
      args: {
        input: t.arg({
          type: inputRef,
          required: true,
          description: "The plan and what to do with it.",
          validate: { schema },
        }),
      },
      resolve: (_root, { input }, context, info) => {
        refuseUnanswerable(info, context);
        return carriedOut(context.commands.run(name, context.actor, input), input, context, info);
      },
    }),
  );
}
