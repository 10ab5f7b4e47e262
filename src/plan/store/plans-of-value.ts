/** The first plans, in the order of creation, that have the value `v.value`; see one-condition. */
import type { Sql } from "../../database/database.js";
import { createdWithin } from "./filter.js";
import { all, raw, sql } from "./fragments.js";
import { orderClause, type WithinValue } from "./order.js";
import { type FirstPlans, isLive } from "./plans-in-order.js";

/**
 * The first plans that have the value `v.value` in a column. The value is a range of one, and first in the order: to
 * the planner that is an order which the index over both alone can bring. Of an equality it would know the order to
 * be that of creation, and walk through all plans in it where the value seems to be frequent. That the range is one of
 * a single value is kept from it too: it would think it so short that it may be sorted.
 */
export function plansWithValue(
  plan: Sql,
  { filter, orderBy, backward, place, limit }: FirstPlans,
  column: string,
): Sql {
  const within: WithinValue = { column: sql`${plan}.${raw(column)}`, value: sql`v.value` };
  const isDescending = (orderBy[0]?.direction === "DESC") !== backward;
  const [from, start, to] = isDescending
    ? [raw("<="), "infinity", raw(">=")]
    : [raw(">="), "-infinity", raw("<=")];
  const begin = sql`(${within.column}, ${plan}.created_at) ${from} (${within.value}, ${start}::timestamptz)`;
  const conditions = all([
    place === null ? begin : place(plan, within),
    sql`${within.column} ${to} ${within.value}`,
    isLive(plan, filter),
    ...createdWithin(plan, filter, within),
  ]);
  return sql`SELECT ${plan}.* FROM plan ${plan} WHERE ${conditions}
    ORDER BY ${orderClause(plan, orderBy, backward, within)} LIMIT ${limit}`;
}

/** The first plans that have the facet `v.value`; the rows of the facet are those that stand in the order. */
export function plansUnderFacet(plan: Sql, { filter, orderBy, backward, place, limit }: FirstPlans): Sql {
  const row = raw("f");
  const conditions = all([
    ...(place === null ? [] : [place(row, null)]),
    sql`f.facet = v.value`,
    filter?.includeArchived === true ? sql`f.live = l.live` : sql`f.live`,
    ...createdWithin(row, filter),
  ]);
  return sql`SELECT ${plan}.* FROM (SELECT facet, live, created_at, plan_id AS id FROM plan_facet) f
    JOIN plan ${plan} ON ${plan}.id = f.id WHERE ${conditions}
    ORDER BY ${orderClause(row, orderBy, backward)} LIMIT ${limit}`;
}
