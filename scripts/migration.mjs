// Makes the next migration from prisma/schema.prisma: `npm run db:migration -- what_it_does`.
// What Prisma cannot say (collations, triggers, rows) is added to the file by hand, before it is committed.
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { migrationsFolder, schemaDifference } from "./schema-difference.mjs";

const [name] = process.argv.slice(2);

if (!name || !/^[a-z0-9_]+$/.test(name)) {
  fail("Say what the migration does, in lower case: npm run db:migration -- add_workers");
} else {
  const script = await schemaDifference();
  if (script === "") {
    fail("prisma/migrations already say all that prisma/schema.prisma says: there is nothing to migrate.");
  } else {
    const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
    const folder = join(migrationsFolder, `${time}_${name}`);
    await mkdir(folder);
    await writeFile(join(folder, "migration.sql"), `${script}\n`);
    console.log(`Wrote ${relative(process.cwd(), folder)}/migration.sql; read it before you commit it.`);
  }
}

/** @param {string} sentence */
function fail(sentence) {
  console.error(sentence);
  process.exitCode = 1;
}
