/** The first plans of a filter, where it is for the planner to choose between the indexes. */
import type { Sql } from "../../database/database.js";
import type { PlanFilter, PlanOrder } from "../reading.js";
import { matches } from "./filter.js";
import { all, sql } from "./fragments.js";
import { orderClause, type WithinValue } from "./order.js";

export interface FirstPlans {
  readonly filter: PlanFilter | null;
  readonly orderBy: readonly PlanOrder[];
  readonly backward: boolean;
  /** What else the plans must meet, such as being the child of one; null where nothing. */
  readonly scope: ((plan: Sql) => Sql) | null;
  /**
   * Where in the order a row must stand; null where anywhere. It comes first of all conditions: an index begins where
   * the first of those says that are on the same columns.
   */
  readonly place: ((row: Sql, within: WithinValue | null) => Sql) | null;
  /** How many there are at most, as it stands in the statement. */
  readonly limit: Sql;
}

/** The first plans that meet the filter, by the planner's choice of indexes; those of `among` alone where given. */
export function plansInOrder(plan: Sql, request: FirstPlans, among: readonly Sql[] = []): Sql {
  const { filter, orderBy, backward, scope, place, limit } = request;
  const conditions = all([
    ...(place === null ? [] : [place(plan, null)]),
    isLive(plan, filter),
    ...(filter === null ? [] : [matches(plan, filter)]),
    ...(scope === null ? [] : [scope(plan)]),
    ...among,
  ]);
  return sql`SELECT ${plan}.* FROM plan ${plan} WHERE ${conditions}
    ORDER BY ${orderClause(plan, orderBy, backward)} LIMIT ${limit}`;
}

/** Whether the row `plan` is archived as asked; with archived plans, as the row `l` says (see first-plans). */
export function isLive(plan: Sql, filter: PlanFilter | null): Sql {
  const live = sql`${plan}.archived_at IS NULL`;
  return filter?.includeArchived === true ? sql`(${live}) = l.live` : live;
}
