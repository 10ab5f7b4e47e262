/**
 * The home of a database inside this process: PGlite on a directory of its own. In the directory, `lock` tells
 * who uses it, `postgres` is the database, and `postgres.new` is one that a first start is still making.
 */
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { Closers } from "../closers.js";
import { repeat } from "../repeat.js";
import type { Database, Sql } from "./database.js";
import { lockDirectory } from "./directory-lock.js";
import { giveIdentity, placeEmptyDatabase } from "./empty-database.js";
import { openMigrated } from "./migrated-directory.js";
import { readMigrations } from "./migrations.js";
import { observed } from "./observation.js";
import { answersWithin, type DatabaseObserver, prismaClient } from "./prisma-client.js";
import { retryingConflicts } from "./retry.js";
import { StartRefused } from "./start-refused.js";
import { vacuumWorn } from "./vacuum.js";

const VACUUM_EVERY_MS = 60_000;

/** Opens the database in `directory`, or makes it; rejects with `StartRefused` while another process has it. */
export async function openEmbedded(directory: string, observer: DatabaseObserver): Promise<Database> {
  const place = resolve(directory);
  const closers = new Closers();
  closers.add(await lockDirectory(place));
  try {
    const driver = await openWhole(place);
    closers.add(() => driver.close());
    const onError = (error: unknown) => observer.onError?.(error);
    const work = (isStopped: () => boolean) => vacuumWorn(driver, isStopped);
    closers.add(repeat({ everyMs: VACUUM_EVERY_MS, work, onError }));
    const { transaction, disconnect } = prismaClient(new PrismaPGlite(driver), observer);
    closers.add(disconnect);
    const read = <Row>(text: string, values: unknown[]): Promise<Row[]> =>
      observed(observer.onStatement, text, async () => (await driver.query<Row>(text, values)).rows);
    return {
      read: ({ text, values }) => read(text, values),
      write: (work) =>
        retryingConflicts(() =>
          driver.transaction((tx) =>
            work(<Row>({ text, values }: Sql) =>
              observed(observer.onStatement, text, async () => (await tx.query<Row>(text, values)).rows),
            ),
          ),
        ),
      transaction,
      listen: async () => async () => undefined,
      answers: (limitMs) => answersWithin(limitMs, driver.query("SELECT 1")),
      close: () => closers.close(),
    };
  } catch (error) {
    // That it did not open is what counts.
    await closers.close().catch(() => undefined);
    throw error;
  }
}

/**
 * A first start puts an empty database beside its place, and then moves it there: a directory in that place is
 * always whole. What a dead first start left is thrown away; the lock says that it is dead.
 */
async function openWhole(place: string): Promise<PGlite> {
  const whole = join(place, "postgres");
  const unfinished = join(place, "postgres.new");
  const migrations = await readMigrations();
  await rm(unfinished, { recursive: true, force: true });
  if (existsSync(whole)) refuseDamaged(whole);
  else {
    await placeEmptyDatabase(unfinished, migrations);
    await rename(unfinished, whole);
  }
  const driver = await openMigrated(whole, place, migrations);
  await giveIdentity(driver);
  return driver;
}

/** PGlite makes a new database wherever these are missing, in the midst of what is left of the old one. */
function refuseDamaged(directory: string): void {
  for (const file of ["PG_VERSION", "global/pg_control"]) {
    if (existsSync(join(directory, file))) continue;
    throw new StartRefused(
      `${directory} is not a whole database: ${file} is missing; put a copy of the directory there, or move it away to begin with an empty database`,
    );
  }
}
