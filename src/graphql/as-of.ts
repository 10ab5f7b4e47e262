/**
 * The root field `asOf` tells the head of the log at the beginning of its operation: where it is asked for, the
 * other root fields are read only after it, so that everything up to it is in all of their answers.
 */
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from "@pothos/core";
import {
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import type { Context } from "./context.js";

class AsOfPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types["Context"], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types["Context"], object> {
    if (field.kind !== "Query") return resolve;
    return async (parent, args, context, info) => {
      if (asksAsOf(info)) await (context as Context).asOf();
      return resolve(parent, args, context, info);
    };
  }
}

/** What was found out about an operation; every root field asks the same. */
const known = new WeakMap<OperationDefinitionNode, boolean>();

function asksAsOf({ operation, fragments }: GraphQLResolveInfo): boolean {
  let asks = known.get(operation);
  if (asks === undefined) {
    asks = selectsAsOf(operation.selectionSet, fragments, new Set());
    known.set(operation, asks);
  }
  return asks;
}

/** Looks into each fragment once, however often it is spread: `seen` are those that were looked into. */
function selectsAsOf(
  selectionSet: SelectionSetNode,
  fragments: GraphQLResolveInfo["fragments"],
  seen: Set<string>,
): boolean {
  return selectionSet.selections.some((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value === "asOf";
    if (selection.kind === Kind.INLINE_FRAGMENT) return selectsAsOf(selection.selectionSet, fragments, seen);
    const name = selection.name.value;
    const fragment = fragments[name];
    if (fragment === undefined || seen.has(name)) return false;
    seen.add(name);
    return selectsAsOf(fragment.selectionSet, fragments, seen);
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
