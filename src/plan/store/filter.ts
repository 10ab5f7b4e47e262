/** Filters of plans and of events as SQL conditions. */
import type { Sql } from "../../database/database.js";
import { Prisma } from "../../database/generated/client.js";
import type { PlanEventFilter, PlanFilter } from "../reading.js";
import { lowerAscii } from "../text.js";
import { all, raw, sql } from "./fragments.js";

/** What the outermost filter asks of the row `plan`: archived plans are in only where it says so. */
export function planCondition(plan: Sql, filter: PlanFilter | null): Sql {
  const asked = filter === null ? [] : [matches(plan, filter)];
  return all(filter?.includeArchived === true ? asked : [...asked, sql`${plan}.archived_at IS NULL`]);
}

function matches(plan: Sql, filter: PlanFilter): Sql {
  const { tags, nameContains } = filter;
  const actors = filter.actors == null ? null : [...filter.actors];
  const conditions: (Sql | null)[] = [
    given(filter.ids, (ids) => sql`${plan}.id = ANY(${[...ids]}::text[])`),
    given(filter.rootPlanId, (id) => sql`${plan}.root_plan_id = ${id}`),
    given(filter.parentPlanId, (id) => sql`${plan}.parent_plan_id = ${id}`),
    given(filter.hasParent, (has) =>
      has ? sql`${plan}.parent_plan_id IS NOT NULL` : sql`${plan}.parent_plan_id IS NULL`,
    ),
    given(filter.phases, (phases) => sql`${plan}.phase = ANY(${[...phases]}::text[]::plan_phase[])`),
    given(filter.states, (states) => sql`${plan}.state = ANY(${[...states]}::text[]::plan_state[])`),
    given(filter.actionNames, (names) => sql`${plan}.action_name = ANY(${[...names]}::text[])`),
    given(
      filter.projectNames,
      (names) =>
        sql`EXISTS (SELECT FROM project_link l WHERE l.plan_id = ${plan}.id AND l.project_name = ANY(${[...names]}::text[]))`,
    ),
    given(
      actors,
      (
        names,
      ) => sql`(${plan}.strategy_actor = ANY(${names}::text[]) OR ${plan}.execution_actor = ANY(${names}::text[])
        OR ${plan}.estimation_actor = ANY(${names}::text[]) OR ${plan}.invariant_actor = ANY(${names}::text[]))`,
    ),
    given(
      filter.automationLevels,
      (levels) => sql`${plan}.automation_level = ANY(${[...levels]}::text[]::automation_level[])`,
    ),
    given(tags?.any, (any) => sql`${plan}.tags && ${[...any]}::text[]`),
    given(tags?.all, (every) => sql`${plan}.tags @> ${[...every]}::text[]`),
    given(nameContains, (part) => sql`strpos(${plan}.name, ${lowerAscii(part)}) > 0`),
    given(filter.createdAfter, (at) => sql`${plan}.created_at > ${at}::timestamptz`),
    given(filter.createdBefore, (at) => sql`${plan}.created_at < ${at}::timestamptz`),
    given(filter.updatedAfter, (at) => sql`${plan}.updated_at > ${at}::timestamptz`),
    given(filter.updatedBefore, (at) => sql`${plan}.updated_at < ${at}::timestamptz`),
    given(filter.and, (filters) => all(filters.map((one) => matches(plan, one)))),
    given(filter.or, (filters) =>
      filters.length === 0
        ? sql`false`
        : Prisma.join(
            filters.map((one) => matches(plan, one)),
            " OR ",
            "(",
            ")",
          ),
    ),
    given(filter.not, (one) => sql`coalesce(NOT ${matches(plan, one)}, true)`),
  ];
  return all(conditions.filter((condition) => condition !== null));
}

/** What a filter asks of the row `event`; on what changes, the plan before or after it may match. */
export function eventCondition(event: Sql, filter: PlanEventFilter | null): Sql {
  if (filter === null) return sql`true`;
  const conditions: (Sql | null)[] = [
    given(filter.planIds, (ids) => sql`${event}.plan_id = ANY(${[...ids]}::text[])`),
    given(filter.rootPlanId, (id) => sql`${event}.root_plan_id = ${id}`),
    given(filter.actionNames, (names) => sql`${event}.action_name = ANY(${[...names]}::text[])`),
    given(filter.projectNames, (names) => sql`${event}.project_names && ${[...names]}::text[]`),
    given(filter.types, (types) => sql`${event}.type = ANY(${[...types]}::text[]::plan_event_type[])`),
    sql`(${sideCondition(event, "from", filter)} OR ${sideCondition(event, "to", filter)})`,
  ];
  return all(conditions.filter((condition) => condition !== null));
}

function sideCondition(event: Sql, side: "from" | "to", filter: PlanEventFilter): Sql {
  const column = (name: string) => sql`${event}.${raw(`${side}_${name}`)}`;
  const conditions = [
    sql`${column("phase")} IS NOT NULL`,
    given(filter.phases, (phases) => sql`${column("phase")} = ANY(${[...phases]}::text[]::plan_phase[])`),
    given(filter.states, (states) => sql`${column("state")} = ANY(${[...states]}::text[]::plan_state[])`),
    given(filter.tags, (tags) => sql`${column("tags")} && ${[...tags]}::text[]`),
  ];
  return all(conditions.filter((condition) => condition !== null));
}

function given<Value>(value: Value | null | undefined, condition: (value: Value) => Sql): Sql | null {
  return value == null ? null : condition(value);
}
