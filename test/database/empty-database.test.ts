import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyDatabase } from "../../src/database/empty-database.js";

it("a copy of a database that may only be read is one's own, to write and to remove", async () => {
  const parent = await mkdtemp(join(tmpdir(), "phaseline-test-"));
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
