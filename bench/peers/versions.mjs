/**
 * A limit, no product: a bare HTTP server that asks the database for nothing but ids and versions, which is what a
 * read that comes out of memory has to ask at least.
 */
import { createServer } from "node:http";
import pg from "pg";
import { answer, bodyOf, databaseUrl, poolSize, serve } from "./serving.mjs";

const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });

const STATEMENTS = {
  list: "SELECT id, version FROM plan WHERE archived_at IS NULL ORDER BY created_at DESC, id DESC LIMIT $1",
  plan: "SELECT id, version FROM plan WHERE id = $1",
};

const server = createServer(async (request, response) => {
  const { first, id } = await bodyOf(request);
  const question =
    id === undefined
      ? { name: "list", text: STATEMENTS.list, values: [first] }
      : { name: "plan", text: STATEMENTS.plan, values: [id] };
  const { rows } = await pool.query(question);
  answer(response, JSON.stringify({ versions: rows }));
});
await serve(server);
