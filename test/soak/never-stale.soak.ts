/**
 * Two servers on one PostgreSQL: one is written to without pause, the other is read from, with all plans in memory
 * and with ten. `npm run soak -- never-stale 60`
 */
import { expect, it } from "vitest";
import { findStaleReads } from "../plan/never-stale.js";
import { createServerDatabase } from "../support/databases.js";
import { startServerProcess } from "../support/server-process.js";
import { soakSeconds } from "./seconds.js";

it.each([
  ["all plans", {}],
  ["ten plans", { PHASELINE_CACHE_BYTES: "65536" }],
])("no read is stale with %s in memory", async (memory, environment) => {
  const place = await createServerDatabase("migrated");
  const [writing, reading] = await Promise.all([
    startServerProcess(place.config),
    startServerProcess(place.config, environment),
  ]);
  const end = Date.now() + soakSeconds(60) * 1_000;
  let commands = 0;
  const { compared, faults } = await findStaleReads(writing.endpoint, reading.endpoint, (written) => {
    commands = written;
    return Date.now() >= end;
  });
  console.log(
    `With ${memory} in memory, ${compared} plans of answers were as the log had them, while ${commands} commands succeeded.`,
  );
  expect(faults).toEqual([]);
  await Promise.all([writing.kill("SIGTERM"), reading.kill("SIGTERM")]);
  await place.remove();
});
