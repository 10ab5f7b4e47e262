// Runs after each installation: makes an empty embedded database beside the packages, so that a first start copies it
// instead of waiting for PostgreSQL's own first steps (see src/database/empty-database.ts, which also does without it).
import { chmod, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";

const finished = fileURLToPath(new URL("../node_modules/.cache/phaseline/empty-database", import.meta.url));
const unfinished = `${finished}.new`;

for (const directory of [finished, unfinished]) await rm(directory, { recursive: true, force: true });
await mkdir(dirname(finished), { recursive: true });
const database = await PGlite.create(unfinished);
await database.close();
// Whoever runs the server may copy it, also where somebody else has installed it, as in an image.
for (const part of await readdir(unfinished, { recursive: true, withFileTypes: true }))
  await chmod(join(part.parentPath, part.name), part.isDirectory() ? 0o755 : 0o644);
await rename(unfinished, finished);
