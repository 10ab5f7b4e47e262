/** Twenty servers that are killed under writes, one after the other on one directory. `npm run soak -- kills` */
import { expect, it } from "vitest";
import { killUnderWrites, plansInLog } from "../events/kills.js";
import { createDirectory } from "../support/databases.js";

const KILLS = 20;

it("a database whose server is killed twenty times under writes opens again, and has all that was acknowledged", async () => {
  const place = await createDirectory("migrated");
  const acknowledged = await killUnderWrites(place, KILLS, 40);
  const inLog = await plansInLog(place, acknowledged);
  console.log(
    `${acknowledged.length} plans were acknowledged before ${KILLS} kills; the log has ${inLog.length}.`,
  );
  expect(inLog).toEqual(expect.arrayContaining(acknowledged));
});
