/**
 * Which questions the table `plan_count` answers, which triggers keep (docs/decisions/counts-that-are-kept.md): how many
 * plans there are at each position, of all or under one facet. All others are counted.
 */
import type { Sql } from "../../database/database.js";
import type { PlanFilter } from "../reading.js";
import { ALL_PLANS, actionFacet, projectFacet, tagFacet } from "./facets.js";
import { all, sql } from "./fragments.js";

/** A condition on rows `c` of `plan_count` whose sum is how many plans match; null where the plans must be counted. */
export function keptCounts(filter: PlanFilter | null): Sql | null {
  const { includeArchived, phases, states, ...others } = filter ?? {};
  const facets = facetsOf(others);
  if (facets === null) return null;
  return all([
    sql`c.facet = ANY(${facets}::text[])`,
    includeArchived === true ? sql`c.live = ANY('{true,false}'::bool[])` : sql`c.live`,
    ...(phases == null ? [] : [sql`c.phase = ANY(${[...phases]}::text[]::plan_phase[])`]),
    ...(states == null ? [] : [sql`c.state = ANY(${[...states]}::text[]::plan_state[])`]),
  ]);
}

/** Facets of which no plan has two, and that are all that is asked. */
function facetsOf(filter: PlanFilter): readonly string[] | null {
  const conditions = Object.entries(filter).filter(([, value]) => value != null);
  if (conditions.length === 0) return [ALL_PLANS];
  if (conditions.length > 1) return null;
  if (filter.actionNames != null) return filter.actionNames.map(actionFacet);
  if (filter.projectNames != null) return onlyOne(filter.projectNames.map(projectFacet));
  const { any, all: every } = filter.tags ?? {};
  if (any != null && every != null) return null;
  return onlyOne((any ?? every ?? []).map(tagFacet));
}

function onlyOne(facets: readonly string[]): readonly string[] | null {
  const distinct = [...new Set(facets)];
  return distinct.length === 1 ? distinct : null;
}
