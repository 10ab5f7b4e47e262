/** The rows of the table: who was how many times better than whom at what. */
import { median, ratio } from "./turns.mjs";

/**
 * @typedef {object} Row
 * @property {string} work
 * @property {string} subject
 * @property {string} peer
 * @property {import("./turns.mjs").Ratio} ratio How many times better the subject was: above 1 it was better.
 * @property {number} subjectPerSecond The median of what was counted, in a second; of a time, its reciprocal.
 * @property {number} peerPerSecond
 * @property {string} subjectShown The same in the unit in which it is read.
 * @property {string} peerShown
 * @property {number | null} goal The least ratio to reach; null has none.
 *
 * @typedef {keyof typeof UNITS} Unit
 */

/** How a number of which more is better reads in each unit. */
const UNITS = {
  "requests/s": (/** @type {number} */ value) => `${rounded(value)}/s`,
  "transitions/s": (/** @type {number} */ value) => `${rounded(value)}/s`,
  "messages/s": (/** @type {number} */ value) => `${rounded(value)}/s`,
  "ms each": (/** @type {number} */ value) => `${rounded(1000 / value)} ms`,
  "µs of CPU each": (/** @type {number} */ value) => `${rounded(1e6 / value)} µs`,
  "KiB each": (/** @type {number} */ value) => `${rounded(1 / value)} KiB`,
};

/**
 * One row for each other name in the samples.
 * @param {string} work
 * @param {string} subject
 * @param {ReadonlyMap<string, readonly number[]>} samples
 * @param {{ unit: Unit, goals: Readonly<Record<string, number>> }} reading
 * @returns {Row[]}
 */
export function rowsOf(work, subject, samples, { unit, goals }) {
  const own = samples.get(subject) ?? [];
  const show = UNITS[unit];
  return [...samples]
    .filter(([name]) => name !== subject)
    .map(([peer, values]) => ({
      work,
      subject,
      peer,
      ratio: ratio(own, values),
      subjectPerSecond: median(own),
      peerPerSecond: median(values),
      subjectShown: show(median(own)),
      peerShown: show(median(values)),
      goal: goals[peer] ?? null,
    }));
}

/**
 * Three digits that count.
 * @param {number} value
 */
export function rounded(value) {
  return value >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}
