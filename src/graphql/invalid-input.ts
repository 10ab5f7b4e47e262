/**
 * What becomes of an input that breaks the rules of its schema: the refusal INVALID_INPUT where a mutation was
 * asked, and a top-level error BAD_USER_INPUT anywhere else.
 */
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from "@pothos/core";
import { GraphQLError, type GraphQLFieldResolver, type GraphQLResolveInfo } from "graphql";
import type { z } from "zod";
import { isRecord } from "../plan/input-fields.js";
import { toInputIssues } from "../plan/input-issues.js";
import type { InputIssue, Refusal } from "../plan/refusals.js";
import type { Context } from "./context.js";

/** The error that the check of arguments throws. A command that is refused by it is told, unless it is a dry run. */
export function invalidArguments(
  error: z.ZodError,
  { input }: { readonly input?: unknown },
  context: Pick<Context, "commandAnswered">,
  { parentType, fieldName }: GraphQLResolveInfo,
): Error {
  const issues = toInputIssues(error);
  if (parentType.name !== "Mutation") return badUserInput(issues);
  const refused = new InvalidInput(issues);
  // createPlan is CREATE_PLAN: mutations are named after their commands.
  const command = fieldName.replace(/[A-Z]/g, "_$&").toUpperCase();
  if (!isRecord(input) || input.dryRun !== true) context.commandAnswered(command, refused.refusal.code);
  return refused;
}

/** A top-level error about the arguments of a query or subscription. */
export function badUserInput(issues: readonly InputIssue[]): GraphQLError {
  const sentences = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return new GraphQLError(sentences.join("; "), { extensions: { code: "BAD_USER_INPUT", issues } });
}

class InvalidInput extends Error {
  readonly refusal: Refusal;

  constructor(issues: readonly InputIssue[]) {
    super("The input breaks a rule.");
    this.refusal = { code: "INVALID_INPUT", message: "The input breaks a rule.", issues };
  }
}

/** Turns the error above into the answer of its mutation. */
class InvalidInputPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types["Context"], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types["Context"], object> {
    if (field.kind !== "Mutation") return resolve;
    return async (parent, args, context, info) => {
      try {
        return await resolve(parent, args, context, info);
      } catch (error) {
        if (error instanceof InvalidInput) return error.refusal;
        throw error;
      }
    };
  }
}

export const INVALID_INPUT_PLUGIN = "invalidInput" as const;

SchemaBuilder.registerPlugin(INVALID_INPUT_PLUGIN, InvalidInputPlugin);

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      invalidInput: InvalidInputPlugin<Types>;
    }
  }
}
