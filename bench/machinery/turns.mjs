/**
 * The one loop of measuring: everyone takes a turn in each round, and what counts are ratios within a round,
 * because the machine of one minute is not that of the next.
 */

/**
 * @typedef {object} Ratio How many times better the subject was than the peer, over the rounds.
 * @property {number} min
 * @property {number} median
 * @property {number} max
 *
 * @typedef {object} Turn
 * @property {string} name
 * @property {() => Promise<number>} measure Answers a number of which more is better: mostly, so many a second.
 */

/**
 * Measures each in every round, each round beginning with another one. Answers, by name, one number for each round.
 * @param {readonly Turn[]} turns
 * @param {number} rounds
 * @returns {Promise<Map<string, number[]>>}
 */
export async function takeTurns(turns, rounds) {
  /** @type {Map<string, number[]>} */
  const samples = new Map(turns.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const start = round % turns.length;
    for (const { name, measure } of [...turns.slice(start), ...turns.slice(0, start)]) {
      samples.get(name)?.push(await measure());
    }
  }
  return samples;
}

/**
 * @param {readonly number[]} subject
 * @param {readonly number[]} peer
 * @returns {Ratio}
 */
export function ratio(subject, peer) {
  const ratios = subject.map((value, round) => value / (peer[round] ?? Number.NaN)).sort((a, b) => a - b);
  return { min: ratios[0] ?? Number.NaN, median: median(ratios), max: ratios.at(-1) ?? Number.NaN };
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}
