/** An embedded database in a directory, opened and brought to the tables of this version. */
import { PGlite } from "@electric-sql/pglite";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { type MigrationSession, migrate } from "./migrate.js";
import type { Migration } from "./migrations.js";
import { sessionSettings } from "./session.js";

/**
 * Opens the database in `directory`, or makes it, and migrates it; rejects with `StartRefused` where its history
 * is another's. A refusal calls it `place`.
 */
export async function openMigrated(
  directory: string,
  place: string,
  migrations: readonly Migration[],
): Promise<PGlite> {
  const driver = await PGlite.create(directory);
  try {
    await driver.exec(sessionSettings());
    await migrate(migrationSession(driver, place), migrations);
    return driver;
  } catch (error) {
    await driver.close();
    throw error;
  }
}

/** The one connection of a driver, for the migrations of the database that a refusal calls `place`. */
export function migrationSession(driver: PGlite, place: string): MigrationSession {
  return {
    place,
    run: async <Row>(script: string) => {
      const results = await driver.exec(script);
      return (results.at(-1)?.rows ?? []) as Row[];
    },
    adapter: () => new PrismaPGlite(driver).connect(),
  };
}
