/**
 * What triggers derive from the plans (their facets, their names apart, and how many there are), held against the plans
 * themselves: for the script that checks a database, and for tests. It reads all plans, as of one moment.
 */
import type { Database } from "../../database/database.js";
import { raw, sql } from "./fragments.js";

export interface DerivedRows {
  readonly table: string;
  /** How many rows there are. */
  readonly rows: number;
  /** Rows, as JSON texts, that are there and should not be: the first few. */
  readonly surplus: readonly string[];
  /** Rows that should be there and are not: the first few. */
  readonly missing: readonly string[];
}

const TABLES = {
  plan_facet: "SELECT plan_id, facet, created_at, live FROM plan_facet_derived",
  plan_count: "SELECT facet, live, phase, state, count FROM plan_count_derived",
  plan_name: "SELECT id AS plan_id, name FROM plan",
};

/** How many rows of each kind are shown. */
const SHOWN = 10;

/** Of each table what it holds and should hold. Counts of nothing are left out: the table keeps them. */
export async function compareDerived(database: Database): Promise<readonly DerivedRows[]> {
  const compared = Object.entries(TABLES).map(async ([table, derived]) => {
    const kept = `SELECT * FROM ${table}${table === "plan_count" ? " WHERE count <> 0" : ""}`;
    const first = (one: string, other: string) =>
      `ARRAY(SELECT row_to_json(d)::text FROM (${one} EXCEPT ${other}) d LIMIT ${SHOWN})`;
    const [found] = await database.read<Omit<DerivedRows, "table">>(sql`SELECT
      (SELECT count(*)::int FROM (${raw(kept)}) k) AS rows,
      ${raw(first(kept, derived))} AS surplus, ${raw(first(derived, kept))} AS missing`);
    if (found === undefined) throw new Error("A statement that always has one row had none.");
    return { table, ...found };
  });
  return Promise.all(compared);
}
