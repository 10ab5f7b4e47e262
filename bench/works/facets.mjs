/** Counts by phase and state of tables of growing size: of all plans, and of one project, action or tag. */
import { deepStrictEqual } from "node:assert/strict";
import { openSizes } from "../places/sizes.mjs";
import { caseMs, measureGrowth } from "./growth.mjs";

const QUERY = `query Counts($filter: PlanFilter) { planCounts(filter: $filter) {
  total byPhaseAndState { phase state count } } }`;

const COUNT = "SELECT phase, state, count(*)::int AS count FROM plan p WHERE archived_at IS NULL";
const GROUP = "GROUP BY phase, state ORDER BY phase, state";

/** Each as the API's filter and as the condition that one would write by hand. */
const CASES = [
  { name: "all plans", filter: null, sql: "" },
  {
    name: "one project",
    filter: { projectNames: ["local/project-7"] },
    sql: "AND EXISTS (SELECT FROM project_link l WHERE l.plan_id = p.id AND l.project_name = 'local/project-7')",
  },
  {
    name: "one action",
    filter: { actionNames: ["local/action-7"] },
    sql: "AND action_name = 'local/action-7'",
  },
  { name: "one tag", filter: { tags: { any: ["tag-7"] } }, sql: "AND tags && '{tag-7}'" },
];

/** @type {import("../main.mjs").Work<import("../places/sizes.mjs").Sizes>} */
export const facets = {
  name: "facets",
  title: "counts by phase and state while tables grow",
  open: openSizes,
  async measure(place, run) {
    for (const size of place.sizes) for (const one of CASES) await compare(size, one);
    run.note("counts are those of SQL");
    const cases = CASES.map(({ name, filter }) => ({ name, variables: () => ({ filter }) }));
    return measureGrowth(
      place,
      run,
      { work: "facets", query: QUERY, expected: '"total":', cases },
      (size, { name }) => {
        const sql = CASES.find((one) => one.name === name)?.sql ?? "";
        return {
          name: `GROUP BY, ${size.name}`,
          measure: () => perSecond(size, sql, caseMs(run.options)),
        };
      },
    );
  },
};

/**
 * How many times a second one connection can count by hand.
 * @param {import("../places/sizes.mjs").Size} size
 * @param {string} condition
 * @param {number} durationMs
 */
async function perSecond({ sql }, condition, durationMs) {
  const began = performance.now();
  let count = 0;
  for (; count === 0 || performance.now() - began < durationMs; count += 1) {
    await sql.query(`${COUNT} ${condition} ${GROUP}`);
  }
  return (count / (performance.now() - began)) * 1000;
}

/**
 * @param {import("../places/sizes.mjs").Size} size
 * @param {typeof CASES[number]} one
 */
async function compare({ server, sql }, { filter, sql: condition }) {
  const response = await fetch(`${server.origin}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: QUERY, variables: { filter } }),
  });
  const { data } = await response.json();
  const counted = data.planCounts.byPhaseAndState.filter((/** @type {any} */ { count }) => count > 0);
  const { rows } = await sql.query(`${COUNT} ${condition} ${GROUP}`);
  deepStrictEqual(counted, rows);
}
