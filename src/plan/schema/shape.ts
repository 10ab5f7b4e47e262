/**
 * What a selection asks of a plan beyond its aggregate, found by looking ahead, so that the store can answer the
 * whole selection with one statement. Arguments that break a rule are passed over here: their own field, which
 * checks them, says so.
 */
import type { GraphQLResolveInfo } from "graphql";
import { parseResolveInfo, type ResolveTree } from "graphql-parse-resolve-info";
import type { Context } from "../../graphql/context.js";
import { canonicalJson } from "../json.js";
import type { JsonValue } from "../plan.js";
import { pageSchema, planFilterSchema, planOrderSchema } from "../query-inputs.js";
import type { NestedRead, PlanShape } from "../reading.js";
import { eventPageRequest, type PlanPageArgs, planPageRequest } from "./page-request.js";

/** The shape of the plan that the field answers with. */
export function shapeOfPlan(info: GraphQLResolveInfo, context: Context): PlanShape {
  return planShape([treeOf(info)], context);
}

/** The shape of the plans in the connection that the field answers with, and whether its total is asked for. */
export function shapeOfPage(
  info: GraphQLResolveInfo,
  context: Context,
): { shape: PlanShape; withTotal: boolean } {
  return connectionShape([treeOf(info)], context);
}

/** Whether the connection that the field answers with is asked for its total. */
export function wantsTotal(info: GraphQLResolveInfo): boolean {
  return fieldsNamed([treeOf(info)], "totalCount").length > 0;
}

/** The key under which a nested read is asked and answered: the same arguments are one read. */
export function nestedKey(field: string, args: object): string {
  const given = Object.entries(args).filter(([, value]) => value != null);
  return `${field} ${canonicalJson(Object.fromEntries(given) as Record<string, JsonValue>)}`;
}

function planShape(plans: readonly ResolveTree[], context: Context): PlanShape {
  const shape = new Map<string, NestedRead>();
  for (const field of ["parent", "root"] as const) {
    const selected = fieldsNamed(plans, field);
    if (selected.length > 0)
      shape.set(nestedKey(field, {}), { kind: field, shape: planShape(selected, context) });
  }
  for (const selected of sameArguments(fieldsNamed(plans, "children"))) {
    const args = soundPlanPageArgs(selected[0]?.args ?? {});
    if (args === null) continue;
    const { shape: childShape, withTotal } = connectionShape(selected, context);
    setUnlessRefused(shape, nestedKey("children", args), () => ({
      kind: "children",
      request: planPageRequest(args, childShape, withTotal),
    }));
  }
  for (const selected of sameArguments(fieldsNamed(plans, "events"))) {
    const args = pageSchema.safeParse(selected[0]?.args ?? {}).data;
    if (args === undefined) continue;
    const withTotal = fieldsNamed(selected, "totalCount").length > 0;
    setUnlessRefused(shape, nestedKey("events", args), () => ({
      kind: "events",
      request: eventPageRequest(args, context.feeds.readCursor, withTotal),
    }));
  }
  return shape;
}

function connectionShape(connections: readonly ResolveTree[], context: Context) {
  const nodes = fieldsNamed(fieldsNamed(connections, "edges"), "node");
  return { shape: planShape(nodes, context), withTotal: fieldsNamed(connections, "totalCount").length > 0 };
}

function setUnlessRefused(shape: Map<string, NestedRead>, key: string, read: () => NestedRead): void {
  try {
    shape.set(key, read());
  } catch {
    // A cursor of another list: the field itself will say so.
  }
}

function soundPlanPageArgs(args: PlanPageArgs): PlanPageArgs | null {
  const sound =
    pageSchema.safeParse(args).success &&
    (args.filter == null || planFilterSchema.safeParse(args.filter).success) &&
    (args.orderBy == null || planOrderSchema.safeParse(args.orderBy).success);
  return sound ? args : null;
}

/** The selections of a field in each of the trees, whatever their aliases and type conditions. */
function fieldsNamed(trees: readonly ResolveTree[], name: string): ResolveTree[] {
  return trees
    .flatMap(({ fieldsByTypeName }) => Object.values(fieldsByTypeName))
    .flatMap((fields) => Object.values(fields))
    .filter((tree) => tree.name === name);
}

function sameArguments(trees: readonly ResolveTree[]): ResolveTree[][] {
  const groups = new Map<string, ResolveTree[]>();
  for (const tree of trees) {
    const key = nestedKey(tree.name, tree.args);
    groups.set(key, [...(groups.get(key) ?? []), tree]);
  }
  return [...groups.values()];
}

function treeOf(info: GraphQLResolveInfo): ResolveTree {
  const tree = parseResolveInfo(info);
  if (tree == null || !("fieldsByTypeName" in tree))
    throw new Error("A field has no selection to look ahead into.");
  return tree as ResolveTree;
}
