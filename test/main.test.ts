/** The process around the server: what only its signals and its exit code can show. */
import pg from "pg";
import { expect, it } from "vitest";
import { createServerDatabase } from "./support/databases.js";
import { startProcess } from "./support/processes.js";

it("a SIGTERM that comes while the server starts stops it in good order", async () => {
  const place = await createServerDatabase("migrated");
  const holder = new pg.Client({ connectionString: place.config.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE event_log");
  const environment = { PORT: "0", LOG_LEVEL: "info", DATABASE_URL: place.config.url };
  const server = startProcess(
    `Object.assign(process.env, ${JSON.stringify(environment)}); await dist("main.js");`,
  );
  // From a connection of its own: in a transaction, the activity stays as it was at the first look.
  const watcher = new pg.Client({ connectionString: place.config.url });
  await watcher.connect();
  const waits =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0";
  while ((await watcher.query(waits)).rowCount === 0);
  await watcher.end();
  const killed = server.kill("SIGTERM");
  await holder.end();
  await killed;
  expect(await server.exited(), server.output()).toBe(0);
  await place.remove();
});
