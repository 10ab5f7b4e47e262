import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { vacuumWorn } from "../../src/database/vacuum.js";

describe("the care of the embedded tables", () => {
  let driver: PGlite;
  beforeAll(async () => {
    driver = await PGlite.create();
    await driver.exec("CREATE TABLE worn (n int); CREATE TABLE still (n int); INSERT INTO still VALUES (1)");
    await driver.query("INSERT INTO worn SELECT generate_series(1, 500)");
    await driver.query("UPDATE worn SET n = n + 1");
  });
  afterAll(() => driver.close());

  const tables = async () => {
    const { rows } = await driver.query<{ name: string; vacuums: number; analyses: number; dead: number }>(
      `SELECT relname AS name, vacuum_count::int AS vacuums, analyze_count::int AS analyses, n_dead_tup::int AS dead
       FROM pg_stat_user_tables ORDER BY relname`,
    );
    return rows;
  };

  it("clears and counts what has changed much, and leaves alone what has not", async () => {
    await vacuumWorn(driver);
    await vacuumWorn(driver);
    expect(await tables()).toMatchObject([
      { name: "still", vacuums: 0, analyses: 0 },
      { name: "worn", vacuums: 1, analyses: 1, dead: 0 },
    ]);
    expect((await driver.query("SELECT reltuples FROM pg_class WHERE relname = 'worn'")).rows).toEqual([
      { reltuples: 500 },
    ]);
  });

  it("waits until an open transaction has ended", async () => {
    await driver.query("UPDATE worn SET n = n + 1");
    let vacuumed = Promise.resolve();
    await driver.transaction(async (tx) => {
      vacuumed = vacuumWorn(driver);
      await tx.query("UPDATE worn SET n = n + 1 WHERE n = 5");
    });
    await vacuumed;
    expect((await tables()).at(1)).toMatchObject({ name: "worn", vacuums: 2 });
  });

  it("begins no further table once it is stopped", async () => {
    await driver.query("UPDATE worn SET n = n + 1");
    await vacuumWorn(driver, () => true);
    expect((await tables()).at(1)).toMatchObject({ vacuums: 2 });
  });
});
