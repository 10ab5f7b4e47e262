/** Filters of plans and of events as SQL conditions. */
import type { Sql } from "../../database/database.js";
import { Prisma } from "../../database/generated/client.js";
import type { PlanEventFilter, PlanFilter } from "../reading.js";
import { lowerAscii } from "../text.js";
import { actorFacet, projectFacet, tagFacet } from "./facets.js";
import { all, raw, sql } from "./fragments.js";
import type { WithinValue } from "./order.js";

/** What the outermost filter asks of the row `plan`: archived plans are in only where it says so. */
export function planCondition(plan: Sql, filter: PlanFilter | null): Sql {
  const asked = filter === null ? [] : [matches(plan, filter)];
  const live = sql`${plan}.archived_at IS NULL`;
  // The indexes begin with it: where it says nothing, they still serve what is asked besides.
  return all([
    filter?.includeArchived === true ? sql`(${live}) = ANY('{true,false}'::bool[])` : live,
    ...asked,
  ]);
}

/** What a filter asks of the row `plan`, wherever it stands; whether archived plans are in is not its to say. */
export function matches(plan: Sql, filter: PlanFilter): Sql {
  const { tags, nameContains } = filter;
  const hasFacet = (facets: readonly string[]) =>
    sql`EXISTS (SELECT FROM plan_facet f WHERE f.plan_id = ${plan}.id AND f.facet = ANY(${[...facets]}::text[]))`;
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
    given(filter.projectNames, (names) => hasFacet(names.map(projectFacet))),
    given(filter.actors, (names) => hasFacet(names.map(actorFacet))),
    given(
      filter.automationLevels,
      (levels) => sql`${plan}.automation_level = ANY(${[...levels]}::text[]::automation_level[])`,
    ),
    given(tags?.any, (any) => hasFacet(any.map(tagFacet))),
    given(tags?.all, (every) => sql`${plan}.tags @> ${[...every]}::text[]`),
    given(tags?.all?.[0], (first) => hasFacet([tagFacet(first)])),
    given(nameContains, (part) => sql`strpos(${plan}.name, ${lowerAscii(part)}) > 0`),
    ...createdWithin(plan, filter),
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

/**
 * The range in which the row `created` (a plan, or a row that is ordered as it is) must have been created. Within the
 * plans of one value it is said of value and time together: so an index over both finds where it begins.
 */
export function createdWithin(
  created: Sql,
  filter: PlanFilter | null,
  within: WithinValue | null = null,
): readonly Sql[] {
  const compare = (operator: "<" | ">") => (at: string) =>
    within === null
      ? sql`${created}.created_at ${raw(operator)} ${at}::timestamptz`
      : sql`(${within.column}, ${created}.created_at) ${raw(operator)} (${within.value}, ${at}::timestamptz)`;
  const conditions = [
    given(filter?.createdAfter, compare(">")),
    given(filter?.createdBefore, compare("<")),
    // No plan is changed before it is created. So an index in the order of creation leads to where such plans begin.
    given(filter?.updatedBefore, compare("<")),
  ];
  return conditions.filter((condition) => condition !== null);
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
