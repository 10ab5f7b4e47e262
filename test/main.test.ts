/** The process around the server: what only its signals and its exit code can show. */
import pg from "pg";
import { expect, it } from "vitest";
import { createServerDatabase } from "./support/databases.js";
import { post } from "./support/http.js";
import { startProcess } from "./support/processes.js";
import { startServerProcess } from "./support/server-process.js";

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

it("a command that waits for a lock which is never released does not keep the process beyond its time", async () => {
  const place = await createServerDatabase("migrated");
  const server = await startServerProcess(place.config, {
    PHASELINE_SHUTDOWN_GRACE: "100",
    PHASELINE_STATEMENT_TIMEOUT: "3600000",
  });
  const holder = new pg.Client({ connectionString: place.config.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT seq FROM event_log FOR UPDATE");
  const input = '{ actionName: "local/review", projectLinks: [{ projectName: "local/shop" }] }';
  const command = post(server.endpoint, { query: `mutation { createPlan(input: ${input}) { __typename } }` });
  const dropped = expect(command).rejects.toThrow();
  const blocked = "SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))";
  await expect.poll(async () => (await holder.query(blocked)).rowCount, { timeout: 30_000 }).toBe(1);
  await server.kill("SIGTERM");
  expect(await server.exited()).toBe(1);
  expect(server.output()).toContain("could not stop in time");
  await dropped;
  await holder.query("ROLLBACK");
  await holder.end();
  await place.remove();
});
