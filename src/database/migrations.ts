/**
 * The migrations of this version, and what a database's history means beside them. Pure but for the reading of
 * the folder; the applying is in migrate.ts.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

export interface Migration {
  /** The name of its folder: a time, then what it does. Migrations apply in the order of their names. */
  readonly name: string;
  readonly script: string;
  /** SHA-256 of the script in hexadecimal, as `_prisma_migrations` keeps it. */
  readonly checksum: string;
}

/** A row of `_prisma_migrations` that was not rolled back. */
export interface RecordedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/** What a database tells of its past: `recorded` is null where it has no `_prisma_migrations`. */
export interface History {
  readonly recorded: readonly RecordedMigration[] | null;
  readonly hasTables: boolean;
}

/** What to apply, or why the server must not touch this database. */
export type Judgement = { readonly pending: readonly Migration[] } | { readonly refusal: string };

/** The package's `prisma/migrations`, seen alike from `src/` and from `dist/`. */
const folder = new URL("../../prisma/migrations/", import.meta.url);

/** All migrations of this version, in order. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const script = await readFile(new URL(`${name}/migration.sql`, folder), "utf8");
      return { name, script, checksum: checksumOf(script) };
    }),
  );
}

/** See {@link Migration.checksum}. */
export function checksumOf(script: string): string {
  return createHash("sha256").update(script).digest("hex");
}

/** Compares a database's history with the migrations of this version. */
export function judgeHistory({ recorded, hasTables }: History, migrations: readonly Migration[]): Judgement {
  if (recorded === null) {
    return hasTables ? { refusal: "it holds tables that Phaseline did not make" } : { pending: migrations };
  }
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum, finished } of recorded) {
    const migration = known.get(name);
    if (!migration) return { refusal: `it has the migration ${name}, which this version does not know` };
    if (!finished) return { refusal: `its migration ${name} failed and was not resolved` };
    if (migration.checksum !== checksum) {
      return { refusal: `its migration ${name} differs from the one of this version` };
    }
  }
  const applied = new Set(recorded.map(({ name }) => name));
  return { pending: migrations.filter(({ name }) => !applied.has(name)) };
}
