/** Transactions on connections of a pool, with statements that stay prepared. */
import type pg from "pg";
import type { RunStatement } from "./database.js";
import { observed } from "./observation.js";
import type { DatabaseObserver } from "./prisma-client.js";

/** Runs `work` in one transaction and commits it; rolls it back where `work` rejects. */
export type RunTransaction = <Result>(work: (run: RunStatement) => Promise<Result>) => Promise<Result>;

export function serverTransactions(
  pool: pg.Pool,
  { onStatement, onError }: DatabaseObserver,
): RunTransaction {
  /** The name under which a connection keeps a statement, by its text. */
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return name;
  };
  const fail = (error: unknown) => onError?.(error);

  return async (work) => {
    const client = await pool.connect();
    // Without a listener, a connection that ends between two statements would end the process.
    client.on("error", fail);
    let broken: Error | undefined;
    try {
      await client.query("BEGIN");
      const result = await work(({ text, values }) =>
        observed(
          onStatement,
          text,
          async () => (await client.query({ name: nameOf(text), text, values })).rows,
        ),
      );
      const { command } = await client.query("COMMIT");
      if (command !== "COMMIT") throw new Error("A transaction went on after one of its statements failed.");
      return result;
    } catch (error) {
      await client.query("ROLLBACK").catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.off("error", fail);
      client.release(broken);
    }
  };
}
