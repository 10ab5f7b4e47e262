/**
 * The empty database that first starts copy: the installation makes it (scripts/make-empty-database.mjs), with the
 * tables of its migrations, since PostgreSQL's own first steps and the migrations take some seconds. Its log has
 * no identity yet: each copy is a log of its own, and gets one when it is opened.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { PGlite } from "@electric-sql/pglite";
import { openMigrated } from "./migrated-directory.js";
import { type Migration, readMigrations } from "./migrations.js";

/** Makes the empty database of this version, in the place of those of others. */
export async function makeEmptyDatabase(): Promise<void> {
  const migrations = await readMigrations();
  const finished = emptyDatabaseOf(migrations);
  const unfinished = join(EMPTY_DATABASES, "unfinished");
  await rm(EMPTY_DATABASES, { recursive: true, force: true });
  await mkdir(EMPTY_DATABASES, { recursive: true });
  const driver = await openMigrated(unfinished, unfinished, migrations);
  await driver.exec("UPDATE event_log SET identity = ''");
  // New databases would be made from these two; here none is, and they are two thirds of all files.
  for (const template of ["template0", "template1"]) {
    await driver.exec(`UPDATE pg_database SET datistemplate = false WHERE datname = '${template}'`);
    await driver.exec(`DROP DATABASE ${template}`);
  }
  await driver.close();
  // Whoever runs the server may copy it, also where somebody else has installed it, as in an image.
  for (const part of await readdir(unfinished, { recursive: true, withFileTypes: true }))
    await chmod(join(part.parentPath, part.name), part.isDirectory() ? 0o755 : 0o644);
  await rename(unfinished, finished);
}

/** Puts an empty, migrated database at `place`: a copy, or where the installation has none for `migrations`, a new one. */
export async function placeEmptyDatabase(place: string, migrations: readonly Migration[]): Promise<void> {
  const prepared = emptyDatabaseOf(migrations);
  if (existsSync(prepared)) await copyDatabase(prepared, place);
  else await (await openMigrated(place, place, migrations)).close();
}

/** Makes the log of a copy one of its own; any other log keeps its identity. */
export async function giveIdentity(driver: PGlite): Promise<void> {
  await driver.exec(
    "UPDATE event_log SET identity = gen_random_uuid()::text, at = now() WHERE identity = ''",
  );
}

/** Copies a database of whoever's, also one that may only be read, as one of this process's own. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  const files: string[] = [];
  for (const part of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = relative(from, join(part.parentPath, part.name));
    if (part.isDirectory()) await mkdir(join(to, path), { mode: 0o700 });
    else files.push(path);
  }
  await Promise.all(
    files.map(async (path) => {
      await copyFile(join(from, path), join(to, path));
      await chmod(join(to, path), 0o600);
    }),
  );
}

const EMPTY_DATABASES = fileURLToPath(new URL("../../node_modules/.cache/phaseline", import.meta.url));

/** Named after its migrations: what another version has prepared is never taken for this one's. */
function emptyDatabaseOf(migrations: readonly Migration[]): string {
  const digest = createHash("sha256");
  for (const { name, checksum } of migrations) digest.update(`${name} ${checksum}\n`);
  return join(EMPTY_DATABASES, `empty-database-${digest.digest("hex").slice(0, 16)}`);
}
