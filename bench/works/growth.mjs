/** What the works on growing tables share: one client after each answer, and each table beside the smallest. */
import { rowsOf } from "../machinery/rows.mjs";
import { takeTurns } from "../machinery/turns.mjs";

/**
 * How long one case is measured in one round: a part of a turn, since there are many.
 * @param {import("../machinery/options.mjs").Options} options
 */
export function caseMs({ turnMs }) {
  return turnMs / 8;
}

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {(plans: number) => object} variables Of the query, on a table of so many plans.
 *
 * @typedef {object} Question
 * @property {string} work
 * @property {string} query
 * @property {string} expected A text that is in each right answer.
 * @property {readonly Case[]} cases
 */

/**
 * Answers rows that say how fast the product is on each larger table against the smallest one; above them, for each
 * case and table, what `beside` measures on the same table.
 * @param {import("../places/sizes.mjs").Sizes} place
 * @param {import("../main.mjs").Run} run
 * @param {Question} question
 * @param {(size: import("../places/sizes.mjs").Size, one: Case) => { name: string, measure: () => Promise<number> }} [beside]
 */
export async function measureGrowth({ sizes }, { options, load }, question, beside) {
  /** @type {import("../machinery/rows.mjs").Row[]} */
  const rows = [];
  const durationMs = caseMs(options);
  for (const one of question.cases) {
    const turns = sizes.map(({ name, plans, server }) => ({
      name,
      measure: () =>
        load.perSecond({
          origin: server.origin,
          path: "/graphql",
          durationMs,
          expected: question.expected,
          connections: [[[JSON.stringify({ query: question.query, variables: one.variables(plans) })]]],
        }),
    }));
    const others = beside === undefined ? [] : sizes.map((size) => beside(size, one));
    for (const { measure } of [...turns, ...others]) await measure();
    const samples = await takeTurns([...turns, ...others], options.rounds);
    const [smallest, ...larger] = sizes.map(({ name }) => name);
    const work = `${question.work}: ${one.name}`;
    for (const name of larger) {
      rows.push(...compare(work, name, smallest ?? "", samples, 0.5));
    }
    for (const [index, { name }] of others.entries()) {
      rows.push(...compare(work, sizes[index]?.name ?? "", name, samples, null));
    }
  }
  return rows;
}

/**
 * @param {string} work
 * @param {string} subject
 * @param {string} peer
 * @param {ReadonlyMap<string, readonly number[]>} samples
 * @param {number | null} goal
 */
function compare(work, subject, peer, samples, goal) {
  const pair = new Map([subject, peer].map((name) => [name, samples.get(name) ?? []]));
  return rowsOf(work, subject, pair, { unit: "ms each", goals: goal === null ? {} : { [peer]: goal } });
}
