/** What the works of reading share: everyone is asked the same, and every peer makes a row. */
import { eachSending } from "../load/load.mjs";
import { rowsOf } from "../machinery/rows.mjs";
import { takeTurns } from "../machinery/turns.mjs";

const CONNECTIONS = 20;

/**
 * @param {string} work
 * @param {import("../places/readers.mjs").Readers} readers
 * @param {import("../main.mjs").Run} run
 * @param {(words: import("../questions/plans.mjs").Words) => readonly string[]} bodies
 * @param {Readonly<Record<string, number>>} goals The ratio to reach, by the peer's name.
 */
export async function measureReading(work, { subject, peers }, { options, load }, bodies, goals) {
  const turns = [subject, ...peers].map(({ name, server, words }) => ({
    name,
    measure: (durationMs = options.turnMs) =>
      load.perSecond({
        origin: server.origin,
        path: words.path,
        durationMs,
        expected: words.expected,
        connections: eachSending(CONNECTIONS, bodies(words)),
      }),
  }));
  for (const { measure } of turns) await measure(options.warmUpMs);
  const samples = await takeTurns(
    turns.map(({ name, measure }) => ({ name, measure: () => measure() })),
    options.rounds,
  );
  return rowsOf(work, subject.name, samples, { unit: "requests/s", goals });
}
