/**
 * The root field `asOf` tells the head of the log at the beginning of its operation: where it is asked for, the
 * other root fields are read only after it, so that everything up to it is in all of their answers.
 */
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from "@pothos/core";
import { type GraphQLFieldResolver, type GraphQLResolveInfo, Kind, type SelectionSetNode } from "graphql";
import type { Context } from "./context.js";

class AsOfPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types["Context"], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types["Context"], object> {
    if (field.kind !== "Query") return resolve;
    return async (parent, args, context, info) => {
      if (selectsAsOf(info.operation.selectionSet, info)) await (context as Context).asOf();
      return resolve(parent, args, context, info);
    };
  }
}

function selectsAsOf(selectionSet: SelectionSetNode, info: GraphQLResolveInfo): boolean {
  return selectionSet.selections.some((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value === "asOf";
    if (selection.kind === Kind.INLINE_FRAGMENT) return selectsAsOf(selection.selectionSet, info);
    const fragment = info.fragments[selection.name.value];
    return fragment !== undefined && selectsAsOf(fragment.selectionSet, info);
  });
}

export const AS_OF_PLUGIN = "asOf" as const;

SchemaBuilder.registerPlugin(AS_OF_PLUGIN, AsOfPlugin);

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      asOf: AsOfPlugin<Types>;
    }
  }
}
