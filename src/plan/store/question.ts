/** Questions to the database: one reading statement each, answered together with the head of the log. */
import type { Database, Sql } from "../../database/database.js";
import { headOfLog, sql } from "./fragments.js";

/** Runs `question`, a scalar subquery that yields JSON, as of the moment for which the head comes with it. */
export async function ask<Answer>(
  database: Database,
  question: Sql,
): Promise<{ readonly answer: Answer; readonly asOf: bigint }> {
  const statement = sql`SELECT json_build_object('asOf', ${headOfLog}, 'answer', (${question}))::text AS result`;
  const [row] = await database.read<{ result: string }>(statement);
  if (row === undefined) throw new Error("A statement that always has one row had none.");
  const { asOf, answer } = JSON.parse(row.result) as { asOf: string; answer: Answer };
  return { answer, asOf: BigInt(asOf) };
}
