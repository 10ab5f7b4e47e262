import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyDatabase, placeEmptyDatabase } from "../../src/database/empty-database.js";
import { openMigrated } from "../../src/database/migrated-directory.js";
import { readMigrations } from "../../src/database/migrations.js";
import { makeScratchDirectory } from "../support/scratch.js";

it("a copy of a database that may only be read is one's own, to write and to remove", async () => {
  const parent = await makeScratchDirectory("phaseline-test-");
  const [from, to] = [join(parent, "from"), join(parent, "to")];
  await mkdir(join(from, "base"), { recursive: true });
  await writeFile(join(from, "base", "1"), "row", { mode: 0o444 });
  await chmod(join(from, "base"), 0o555);
  await chmod(from, 0o555);
  await copyDatabase(from, to);
  const modes = ["", "base", "base/1"].map(async (name) => (await stat(join(to, name))).mode & 0o777);
  expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600]);
  for (const directory of [from, join(from, "base")]) await chmod(directory, 0o755);
  await rm(parent, { recursive: true });
});

it("where the installation has prepared none for the migrations, one is made", async () => {
  const parent = await makeScratchDirectory("phaseline-test-");
  const place = join(parent, "made");
  const migrations = (await readMigrations()).slice(0, 1);
  await placeEmptyDatabase(place, migrations);
  const driver = await openMigrated(place, place, migrations);
  const { rows } = await driver.query("SELECT length(identity) AS length, seq FROM event_log");
  expect(rows).toEqual([{ length: 36, seq: 0 }]);
  await driver.close();
  await rm(parent, { recursive: true });
});
