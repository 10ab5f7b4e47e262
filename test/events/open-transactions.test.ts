/** A transaction that stays open while others commit delays or is delayed, but is never passed over. */
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app.js";
import { createServerDatabase } from "../support/databases.js";
import { type OpenFeed, openFeed, seqOf, TRANSPORTS } from "../support/feeds.js";
import { createPlan, type PlanFacts, succeed } from "../support/plans.js";

let app: TestApp;
let plan: PlanFacts;
let byHand: pg.Client;
let live: OpenFeed[];
let head: string;

beforeAll(async () => {
  app = await startTestApp(await createServerDatabase("migrated"));
  plan = await createPlan(app);
});
afterAll(() => app.close());

beforeEach(async () => {
  if (app.place.config.kind !== "server") throw new Error("This needs a second connection.");
  byHand = new pg.Client({ connectionString: app.place.config.url });
  await byHand.connect();
  head = (await app.ask<{ asOf: string }>("{ asOf }")).asOf;
  live = await Promise.all(TRANSPORTS.map((transport) => openFeed(app.endpoint, transport, { after: head })));
});
afterEach(async () => {
  for (const feed of live) feed.drop();
  await byHand.end();
});

/** The first part of a write: what it is about, without a place in the log. */
async function beginByHand(): Promise<void> {
  await byHand.query("BEGIN");
  await byHand.query("UPDATE plan SET version = version + 1 WHERE id = $1", [plan.id]);
}

/** The second part: takes the head of the log, and writes the event. */
async function appendByHand(): Promise<void> {
  await byHand.query("SELECT seq FROM event_log FOR UPDATE");
  await byHand.query(
    `INSERT INTO plan_event (seq, plan_id, plan_version, type, at, actor, automatic, data_json, root_plan_id,
       action_name, to_phase, to_state)
     SELECT l.seq + 1, p.id, p.version, 'TAGS_CHANGED', now(), 'local/hand', false, '{}', p.root_plan_id,
       p.action_name, p.phase, p.state
     FROM event_log l, plan p WHERE p.id = $1`,
    [plan.id],
  );
  await byHand.query("UPDATE event_log SET seq = seq + 1");
}

/** Until a command of the server waits for what the transaction by hand holds. */
async function untilBlocked(): Promise<void> {
  const blocked = "SELECT pid FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))";
  await expect.poll(async () => (await byHand.query(blocked)).rowCount, { timeout: 30_000 }).toBe(1);
}

/** All feeds, those that were live and those that resume after each cursor, bring exactly these. */
async function expectEverywhere(after: number, count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, index) => after + index + 1);
  for (const feed of live) expect(await feed.seqs(count)).toEqual(all);
  const [identity] = Buffer.from(head, "base64url").toString().split("/");
  for (const [index, transport] of [...TRANSPORTS, ...TRANSPORTS].entries()) {
    if (index >= count) break;
    const cursor = Buffer.from(`${identity}/${after + index}`).toString("base64url");
    const resumed = await openFeed(app.endpoint, transport, { after: cursor });
    expect(await resumed.seqs(count - index)).toEqual(all.slice(index));
    resumed.drop();
  }
}

it("a command waits for the transaction that has the head of the log, and comes after it", async () => {
  await beginByHand();
  await appendByHand();
  const waiting = createPlan(app);
  await untilBlocked();
  await byHand.query("COMMIT");
  await waiting;
  await expectEverywhere(seqOf(head), 2);
});

it("a command passes the transaction that has no place in the log yet, which then comes after it", async () => {
  await beginByHand();
  const { cursor } = await succeed(app, "createPlan", {
    actionName: "local/review",
    projectLinks: [{ projectName: "local/shop" }],
  });
  const seen = await openFeed(app.endpoint, "websocket", { after: head });
  expect(await seen.seqs(1)).toEqual([seqOf(cursor)]);
  await appendByHand();
  await byHand.query("COMMIT");
  expect(await seen.seqs(1)).toEqual([seqOf(cursor) + 1]);
  seen.drop();
  await expectEverywhere(seqOf(head), 2);
});

it("a transaction that rolls back burns no place in the log", async () => {
  await beginByHand();
  await appendByHand();
  const waiting = createPlan(app);
  await untilBlocked();
  await byHand.query("ROLLBACK");
  await waiting;
  await createPlan(app);
  await expectEverywhere(seqOf(head), 2);
});
