/** Commands on plans, from 16 clients that each have plans of their own. */
import { CIRCLE } from "../data/transition.mjs";
import { rowsOf } from "../machinery/rows.mjs";
import { takeTurns } from "../machinery/turns.mjs";
import { openWriters } from "../places/writers.mjs";

/** @type {import("../main.mjs").Work<import("../places/writers.mjs").Writers>} */
export const transitions = {
  name: "transitions",
  title: "transitions of plans, 16 connections",
  open: openWriters,
  async measure({ subject, limit, plans }, { options, load }) {
    const turns = [subject, limit].map(({ name, server, words }) => ({
      name,
      measure: (durationMs = options.turnMs) =>
        load.perSecond({
          origin: server.origin,
          path: words.path,
          durationMs,
          expected: words.expected,
          connections: plans.map((ids) =>
            ids.map((id) => CIRCLE.map((command) => words.command(command, id))),
          ),
        }),
    }));
    for (const { measure } of turns) await measure(options.warmUpMs);
    const samples = await takeTurns(
      turns.map(({ name, measure }) => ({ name, measure: () => measure() })),
      options.rounds,
    );
    return rowsOf("transitions", subject.name, samples, {
      unit: "transitions/s",
      goals: { [limit.name]: 0.5 },
    });
  },
};
