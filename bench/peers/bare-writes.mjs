/**
 * A limit, no product: a bare HTTP server that writes the rows of a transition with `pg`, and numbers its events by
 * a sequence instead of keeping a gapless log.
 */
import { createServer } from "node:http";
import pg from "pg";
import { prepareSequence, transit } from "../data/transition.mjs";
import { answer, bodyOf, databaseUrl, poolSize, serve } from "./serving.mjs";

const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
await prepareSequence(pool);

const server = createServer(async (request, response) => {
  const { command, planId } = await bodyOf(request);
  const client = await pool.connect();
  try {
    const moved = await transit(client, planId, command);
    answer(response, JSON.stringify(moved ?? { refused: command }));
  } finally {
    client.release();
  }
});
await serve(server);
