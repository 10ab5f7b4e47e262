/**
 * Filters of one condition, which is on a value that a plan has or has among others: such plans have an index in the
 * order of their creation. Filters of several conditions are the planner's to decide about.
 */
import type { Sql } from "../../database/database.js";
import type { PlanFilter, PlanOrder } from "../reading.js";
import { actorFacet, projectFacet, tagFacet } from "./facets.js";
import { raw, sql } from "./fragments.js";

/** The values of which a plan must have one: an array without duplicates. */
export interface OneCondition {
  /** The column of the table `plan` that holds the value; null where it is among the plan's facets. */
  readonly column: string | null;
  readonly values: Sql;
}

/** The one condition of a filter, where the order is that of creation; a range of creation may stand beside it. */
export function oneCondition(filter: PlanFilter | null, orderBy: readonly PlanOrder[]): OneCondition | null {
  if (filter === null || orderBy.length !== 1 || orderBy[0]?.field !== "CREATED_AT") return null;
  const { includeArchived: _, createdAfter: _after, createdBefore: _before, ...conditions } = filter;
  if (Object.values(conditions).filter((value) => value != null).length !== 1) return null;
  const { rootPlanId, parentPlanId, phases, states, actionNames, automationLevels } = conditions;
  if (rootPlanId != null) return inColumn("root_plan_id", "text", [rootPlanId]);
  if (parentPlanId != null) return inColumn("parent_plan_id", "text", [parentPlanId]);
  if (phases != null) return inColumn("phase", "plan_phase", phases);
  if (states != null) return inColumn("state", "plan_state", states);
  if (actionNames != null) return inColumn("action_name", "text", actionNames);
  if (automationLevels != null) return inColumn("automation_level", "automation_level", automationLevels);
  const { projectNames, actors, tags } = conditions;
  if (projectNames != null) return amongFacets(projectNames.map(projectFacet));
  if (actors != null) return amongFacets(actors.map(actorFacet));
  const tag = oneTagCondition(tags);
  return tag === null ? null : amongFacets(tag.map(tagFacet));
}

/** Any of some tags; or all of some where that is one. */
function oneTagCondition(tags: PlanFilter["tags"]): readonly string[] | null {
  if (tags?.all == null) return tags?.any ?? null;
  return tags.any == null && new Set(tags.all).size === 1 ? tags.all : null;
}

function inColumn(column: string, type: string, values: readonly string[]): OneCondition {
  return { column, values: sql`${distinct(values)}::text[]::${raw(type)}[]` };
}

function amongFacets(facets: readonly string[]): OneCondition {
  return { column: null, values: sql`${distinct(facets)}::text[]` };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
