/** The empty database that the installation makes (scripts/make-empty-database.mjs), for first starts to copy. */
import { existsSync } from "node:fs";
import { chmod, cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Copies the empty database to `place`; where the installation has made none, PGlite makes one, which takes some seconds. */
export async function placeEmptyDatabase(place: string): Promise<void> {
  if (existsSync(EMPTY_DATABASE)) await copyDatabase(EMPTY_DATABASE, place);
}

/** Copies a database of whoever's, also one that may only be read, as one of this process's own. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  await chmod(to, 0o700);
  for (const part of await readdir(to, { recursive: true, withFileTypes: true })) {
    await chmod(join(part.parentPath, part.name), part.isDirectory() ? 0o700 : 0o600);
  }
}

const EMPTY_DATABASE = fileURLToPath(
  new URL("../../node_modules/.cache/phaseline/empty-database", import.meta.url),
);
