/**
 * A page of 20 plans of tables of growing size, in each order and with each single filter of the API. Rare values
 * are on a few old plans, the last that someone who walks from the newest would find.
 */
import { lastUpdateBefore, planId, RARE } from "../data/fill.mjs";
import { openSizes } from "../places/sizes.mjs";
import { measureGrowth } from "./growth.mjs";

const QUERY = `query Page($filter: PlanFilter, $orderBy: [PlanOrder!]) {
  plans(first: 20, filter: $filter, orderBy: $orderBy) { edges { node { id name phase state } } pageInfo { hasNextPage } } }`;

const FIELDS = ["CREATED_AT", "UPDATED_AT", "NAME", "PHASE", "STATE"];

const ORDERS = FIELDS.flatMap((field) =>
  ["ASC", "DESC"].map((direction) => ({
    name: `${field} ${direction}`,
    variables: () => ({ orderBy: [{ field, direction }] }),
  })),
);

/** A moment that divides the smallest table, and with it every table. */
const MOMENT = "2026-01-01T01:00:00.000Z";
const root = planId(RARE.from);

const FILTERS = Object.entries({
  ids: { ids: Array.from({ length: 20 }, (_, index) => planId(1 + index * 40)) },
  rootPlanId: { rootPlanId: root },
  parentPlanId: { parentPlanId: root },
  "hasParent: true": { hasParent: true },
  "hasParent: false": { hasParent: false },
  phases: { phases: ["APPLY"] },
  states: { states: ["ERRORED"] },
  "actionNames, common": { actionNames: ["local/action-7"] },
  "actionNames, rare": { actionNames: ["local/rare"] },
  "projectNames, common": { projectNames: ["local/project-7"] },
  "projectNames, rare": { projectNames: ["local/rare"] },
  "actors, common": { actors: ["local/strategist-3"] },
  "actors, rare": { actors: ["local/rare"] },
  "automationLevels, common": { automationLevels: ["MANUAL"] },
  "automationLevels, rare": { automationLevels: ["FULL_AUTOMATION"] },
  "tags any, common": { tags: { any: ["tag-7", "area-3"] } },
  "tags any, rare": { tags: { any: ["rare"] } },
  "tags all, common": { tags: { all: ["tag-7"] } },
  "tags all, rare": { tags: { all: ["rare"] } },
  "nameContains, common": { nameContains: "plan-" },
  "nameContains, rare": { nameContains: "needle" },
  createdAfter: { createdAfter: MOMENT },
  updatedAfter: { updatedAfter: MOMENT },
  createdBefore: { createdBefore: MOMENT },
  updatedBefore: { updatedBefore: MOMENT },
  includeArchived: { includeArchived: true },
}).map(([name, filter]) => ({ name, variables: () => ({ filter }) }));

/** The rare plans are the last that changed. */
const CHANGED_LATELY = {
  name: "updatedAfter, rare",
  variables: (/** @type {number} */ plans) => ({ filter: { updatedAfter: lastUpdateBefore(plans) } }),
};

/** @type {import("../main.mjs").Work<import("../places/sizes.mjs").Sizes>} */
export const pages = {
  name: "pages",
  title: "a page of 20 plans while tables grow",
  open: openSizes,
  measure: (place, run) =>
    measureGrowth(place, run, {
      work: "pages",
      query: QUERY,
      expected: '"edges":[{',
      cases: [...ORDERS, ...FILTERS, CHANGED_LATELY],
    }),
};
