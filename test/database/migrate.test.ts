import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../../src/database/migrate.js";
import { migrationSession } from "../../src/database/migrated-directory.js";
import { checksumOf, type Migration } from "../../src/database/migrations.js";

function migration(name: string, script: string): Migration {
  return { name, script, checksum: checksumOf(script) };
}

const first = migration("1_first", "CREATE TABLE one (id int PRIMARY KEY);");
const second = migration(
  "2_second",
  `CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN NULL; END $$;
   CREATE TABLE two (id int PRIMARY KEY);`,
);

describe("migrating", () => {
  let driver: PGlite;
  beforeAll(async () => {
    driver = await PGlite.create();
  });
  beforeEach(() => driver.exec("DROP SCHEMA public CASCADE; CREATE SCHEMA public"));
  afterAll(() => driver.close());

  const run = (migrations: readonly Migration[]) => migrate(migrationSession(driver, "here"), migrations);

  const state = async () => {
    const [tables, recorded] = await driver.exec(`
      SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations' ORDER BY 1;
      SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1`);
    return {
      tables: tables?.rows.map((row) => row.relname),
      recorded: recorded?.rows.map((row) => row.migration_name),
    };
  };

  it("brings an old database up to date, one migration after the other", async () => {
    await run([first]);
    expect(await state()).toEqual({ tables: ["one"], recorded: ["1_first"] });
    await run([first, second]);
    expect(await state()).toEqual({ tables: ["one", "two"], recorded: ["1_first", "2_second"] });
  });

  it("leaves nothing of a migration that fails, says why, and can go on once it is mended", async () => {
    const broken = migration("2_second", "CREATE TABLE two (id int); SELECT 1/0;");
    await expect(run([first, broken])).rejects.toMatchObject({
      message: "The migration 2_second failed and was rolled back",
      cause: { message: "division by zero" },
    });
    expect(await state()).toEqual({ tables: ["one"], recorded: ["1_first"] });
    await run([first, second]);
    expect(await state()).toEqual({ tables: ["one", "two"], recorded: ["1_first", "2_second"] });
  });

  it("holds no lock while it waits for its turn at a migration, so that none at once wait for each other", async () => {
    const session = migrationSession(driver, "here");
    const held: number[] = [];
    const run = async <Row>(script: string) => {
      const locks = "SELECT FROM pg_locks WHERE locktype = 'advisory'";
      if (script === "BEGIN") held.push((await driver.query(locks)).rows.length);
      return session.run<Row>(script);
    };
    await migrate({ ...session, run }, [first, second]);
    expect(held).toEqual([0, 0]);
  });
});
