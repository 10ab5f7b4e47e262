/** The long consultation of the oracle; test/events has the short one. */
import { expect, it } from "vitest";
import { consultOracle } from "../events/oracle.js";
import { createServerDatabase } from "../support/databases.js";
import { soakSeconds } from "./seconds.js";

it("every subscriber gets what its filter picks from the log, for as long as is asked", async () => {
  const seed = Number(process.env.ORACLE_SEED ?? Date.now() % 1_000_000);
  const seconds = soakSeconds(600);
  console.log(`The oracle is consulted for ${seconds} s with the seed ${seed}.`);
  const place = await createServerDatabase("migrated");
  try {
    const end = Date.now() + seconds * 1_000;
    const report = await consultOracle({
      place,
      seed,
      servers: 3,
      writers: 8,
      followers: 30,
      killEveryMs: 5_000,
      isEnough: () => Date.now() >= end,
    });
    console.log(report);
    expect(report.faults, `The seed was ${seed}.`).toEqual([]);
  } finally {
    await place.remove();
  }
});
