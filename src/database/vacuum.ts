/**
 * What PostgreSQL's autovacuum does on a server, for the database in this process, which has none: dead rows are
 * cleared away, so that the files stop growing, and the planner hears how much is in the tables.
 */
import type { PGlite } from "@electric-sql/pglite";

/**
 * Vacuums and analyses the tables that have changed much since they last were, by the measures of autovacuum. Each
 * takes its turn in the driver's queue by itself, between transactions: others wait for one table at most.
 */
export async function vacuumWorn(driver: PGlite, isStopped: () => boolean = () => false): Promise<void> {
  await driver.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await driver.query<{ name: string }>(WORN);
  for (const { name } of rows) {
    if (isStopped()) return;
    await driver.query(`VACUUM (ANALYZE) ${name}`);
  }
}

const WORN = `SELECT quote_ident(schemaname) || '.' || quote_ident(relname) AS name FROM pg_stat_user_tables
  WHERE n_dead_tup > 50 + 0.2 * n_live_tup
    OR n_mod_since_analyze > 50 + 0.1 * n_live_tup
    OR n_ins_since_vacuum > 1000 + 0.2 * n_live_tup
  ORDER BY relname`;
