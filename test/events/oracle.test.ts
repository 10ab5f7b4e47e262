/** The short consultation of the oracle; test/soak has the long one. */
import { expect, it } from "vitest";
import { createServerDatabase } from "../support/databases.js";
import { consultOracle } from "./oracle.js";

it("every subscriber gets what its filter picks from the log, once and in order, while servers are killed", async () => {
  const seed = Number(process.env.ORACLE_SEED ?? 1);
  const place = await createServerDatabase("migrated");
  try {
    const report = await consultOracle({
      place,
      seed,
      servers: 3,
      writers: 8,
      followers: 30,
      killEveryMs: 700,
      isEnough: ({ acknowledged, connections, kills }) =>
        acknowledged >= 250 && connections >= 150 && kills >= 2,
    });
    expect(report.faults, `The seed was ${seed}.`).toEqual([]);
  } finally {
    await place.remove();
  }
}, 180_000);
