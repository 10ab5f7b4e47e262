/**
 * The first plans of a filter in an order, found so that how many are wanted decides what they cost, and not how many
 * there are: an index brings the plans of one value, archived or not, in their order. Where a filter asks for several
 * values, or for archived plans too, the first plans of each are taken, and of these the first.
 * docs/decisions/an-index-for-every-page.md says which indexes there are, and what they do not serve.
 */
import type { Sql } from "../../database/database.js";
import { Prisma } from "../../database/generated/client.js";
import { sql } from "./fragments.js";
import { type OneCondition, oneCondition } from "./one-condition.js";
import { orderClause } from "./order.js";
import { plansByName } from "./plans-by-name.js";
import { type FirstPlans, plansInOrder } from "./plans-in-order.js";
import { plansUnderFacet, plansWithValue } from "./plans-of-value.js";

/** A query for all columns of these plans, in the order. It calls them `plan`. */
export function firstPlans(plan: Sql, request: FirstPlans): Sql {
  const { filter, orderBy, backward, scope, limit } = request;
  const one = scope === null ? oneCondition(filter, orderBy) : null;
  const lists = [
    one === null ? null : sql`unnest(${one.values}) v(value)`,
    filter?.includeArchived === true ? sql`(VALUES (true), (false)) l(live)` : null,
  ].filter((list) => list !== null);
  const ofEach = one === null ? plansOfFilter(plan, request) : plansOfOne(plan, request, one);
  if (lists.length === 0) return ofEach;
  // A plan may be under several facets.
  const once = one?.column === null ? sql`DISTINCT ON (${plan}.created_at, ${plan}.id)` : Prisma.empty;
  return sql`SELECT ${once} ${plan}.* FROM ${Prisma.join(lists, " CROSS JOIN ")}
    CROSS JOIN LATERAL (${ofEach}) ${plan}
    ORDER BY ${orderClause(plan, orderBy, backward)} LIMIT ${limit}`;
}

function plansOfFilter(plan: Sql, request: FirstPlans): Sql {
  const part = request.filter?.nameContains ?? "";
  return part === "" || request.scope !== null
    ? plansInOrder(plan, request)
    : plansByName(plan, request, part);
}

function plansOfOne(plan: Sql, request: FirstPlans, { column }: OneCondition): Sql {
  return column === null ? plansUnderFacet(plan, request) : plansWithValue(plan, request, column);
}
