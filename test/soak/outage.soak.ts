/** PostgreSQL is stopped again and again, a minute each time, while clients follow. `npm run soak -- outage 600` */
import { expect, it } from "vitest";
import { openFeed, TRANSPORTS } from "../support/feeds.js";
import { post } from "../support/http.js";
import { startOwnPostgresServer } from "../support/postgres-server.js";
import { startServerProcess } from "../support/server-process.js";
import { soakSeconds } from "./seconds.js";

const CREATE = `mutation { createPlan(input: { actionName: "local/review", projectLinks: [{ projectName: "local/shop" }] }) {
  ... on CommandSuccess { plan { id } } } }`;
const DOWN_MS = 60_000;

it("servers outlive a database that is stopped for a minute, and their feeds lose nothing", async () => {
  const postgres = await startOwnPostgresServer();
  const database = { kind: "server", url: postgres.url, poolSize: 5, statementTimeoutMs: 10_000 } as const;
  const [writer, reader] = await Promise.all([startServerProcess(database), startServerProcess(database)]);
  const create = async () => (await post(writer.endpoint, { query: CREATE })).body.data != null;
  const feeds = await Promise.all(TRANSPORTS.map((transport) => openFeed(reader.endpoint, transport)));
  let seq = 0;
  const end = Date.now() + soakSeconds(180) * 1_000;
  for (let outage = 1; Date.now() < end; outage += 1) {
    expect(await create()).toBe(true);
    await postgres.halt();
    const stoppedAt = Date.now();
    while (Date.now() < stoppedAt + DOWN_MS) {
      expect((await fetch(new URL("/health", reader.endpoint))).status).toBe(200);
      expect((await fetch(new URL("/ready", reader.endpoint))).status).toBe(503);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    await postgres.resume();
    const resumedAt = Date.now();
    while (!(await create())) await new Promise((resolve) => setTimeout(resolve, 100));
    for (const feed of feeds) expect(await feed.seqs(2)).toEqual([seq + 1, seq + 2]);
    seq += 2;
    console.log(`Outage ${outage}: the events were there ${Date.now() - resumedAt} ms after the database.`);
  }
  for (const feed of feeds) feed.drop();
  for (const server of [writer, reader]) {
    await server.kill("SIGTERM");
    expect(await server.exited()).toBe(0);
  }
  await postgres.stop();
});
