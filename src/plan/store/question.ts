/** Questions to the database: one reading statement each, answered together with the head of the log. */
import type { Database, Sql, Statement } from "../../database/database.js";
import { headOfLog, sql } from "./fragments.js";

/** What the database answered, as of the moment for which the head comes with it. */
export interface Answer<Told> {
  readonly answer: Told;
  readonly asOf: bigint;
}

/** The statement of `question`, a scalar subquery that yields JSON; see `Statement` for `keepsPlan`. */
export function statementOf(question: Sql, keepsPlan: boolean): Statement {
  const { text, values } =
    sql`SELECT json_build_object('asOf', ${headOfLog}, 'answer', (${question}))::text AS result`;
  return { text, values, keepsPlan };
}

/** Runs the statement of a question; the same text is the same answer, of the same moment. */
export async function answerText(database: Database, statement: Statement): Promise<string> {
  const [row] = await database.read<{ result: string }>(statement);
  if (row === undefined) throw new Error("A statement that always has one row had none.");
  return row.result;
}

export function readAnswer<Told>(text: string): Answer<Told> {
  const { asOf, answer } = JSON.parse(text) as { asOf: string; answer: Told };
  return { answer, asOf: BigInt(asOf) };
}

/** Asks a question that is put together for this once. */
export async function ask<Told>(database: Database, question: Sql): Promise<Answer<Told>> {
  return readAnswer(await answerText(database, statementOf(question, false)));
}
