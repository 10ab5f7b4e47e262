/** What the command line asks for. */
import { parseArgs } from "node:util";

/**
 * @typedef {object} Options
 * @property {boolean} quick Fewer and shorter rounds, and no table of a million plans.
 * @property {string | null} only The name of the one work to run; null runs all.
 * @property {string | null} json The file that the rows are written to; null writes none.
 * @property {number} rounds How many ratios each row is made of.
 * @property {number} turnMs How long one subject is under load in one round.
 * @property {number} warmUpMs How long it is under load before the first round.
 * @property {readonly number[]} sizes The numbers of plans that works on growing tables compare, the smallest first.
 */

/**
 * Reads the arguments; throws an Error that says what is wrong with them.
 * @param {readonly string[]} given
 * @param {readonly string[]} works
 * @returns {Options}
 */
export function readOptions(given, works) {
  const { values } = parseArgs({
    args: [...given],
    options: { quick: { type: "boolean" }, only: { type: "string" }, json: { type: "string" } },
  });
  const { quick = false, only = null, json = null } = values;
  if (only !== null && !works.includes(only)) {
    throw new Error(`--only names one of: ${works.join(", ")}`);
  }
  const extent = quick
    ? { rounds: 3, turnMs: 350, warmUpMs: 350, sizes: [1_000, 100_000] }
    : { rounds: 7, turnMs: 4_000, warmUpMs: 4_000, sizes: [1_000, 100_000, 1_000_000] };
  return { quick, only, json, ...extent };
}
