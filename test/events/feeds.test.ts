/** What the feeds of the API say, over both transports and on both databases. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, startTestApp, type TestApp } from "../support/app.js";
import { createServerDatabase } from "../support/databases.js";
import { FEED, openFeed, TRANSPORTS } from "../support/feeds.js";
import { type EventStream, openEvents } from "../support/http.js";
import { createPlan, proceed, succeed } from "../support/plans.js";

const FEED_WITH_PLANS = `subscription($after: EventCursor) { planEvents(after: $after) {
  ... on PlanEventItem { cursor plan { id version } } ... on FeedCheckpoint { cursor } } }`;

async function headOf(app: TestApp): Promise<string> {
  return (await app.ask<{ asOf: string }>("{ asOf }")).asOf;
}

async function dataOf<Data>(stream: EventStream): Promise<Data> {
  const event = await stream.next();
  if (event?.data?.data == null) throw new Error(`There was ${JSON.stringify(event)}.`);
  return event.data.data as Data;
}

describe.each(appHomes)("a feed ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  it.each(TRANSPORTS)(
    "over %s shows five fast transitions as five events, each with its own from and to",
    async (transport) => {
      const { id: planId } = await createPlan(app);
      const feed = await openFeed(app.endpoint, transport, { filter: { planIds: [planId] } });
      expect(await feed.next()).toMatchObject({ __typename: "FeedCheckpoint" });
      await proceed(app, planId, [
        "startPhase",
        ["failPhase", { message: "no" }],
        "retryPhase",
        "startPhase",
        "completePhase",
      ]);
      for (const [type, planVersion, from, to] of [
        ["PHASE_STARTED", 2, "QUEUED", "PROCESSING"],
        ["PHASE_FAILED", 3, "PROCESSING", "ERRORED"],
        ["PHASE_RETRIED", 4, "ERRORED", "QUEUED"],
        ["PHASE_STARTED", 5, "QUEUED", "PROCESSING"],
        ["PHASE_COMPLETED", 6, "PROCESSING", "COMPLETE"],
      ])
        expect(await feed.event()).toMatchObject({
          type,
          planVersion,
          from: { state: from },
          to: { state: to },
        });
      feed.drop();
    },
  );

  it.each(TRANSPORTS)("over %s tells what it replays from what is new", async (transport) => {
    const after = await headOf(app);
    const { id: planId } = await createPlan(app);
    const feed = await openFeed(app.endpoint, transport, { after });
    expect(await feed.next()).toMatchObject({ isReplay: true, event: { planId, planVersion: 1 } });
    await succeed(app, "startPhase", { planId });
    expect(await feed.next()).toMatchObject({ isReplay: false, event: { planId, planVersion: 2 } });
    feed.drop();
  });

  it("of one phase, state or tag brings arrivals and departures, replayed as live, and nothing else", async () => {
    const after = await headOf(app);
    const filters = [
      { phases: ["EXECUTE"], types: ["PHASE_ADVANCED", "TAGS_CHANGED"] },
      { states: ["ERRORED"] },
      { tags: ["departing"] },
    ];
    const live = await Promise.all(filters.map((filter) => openFeed(app.endpoint, "websocket", { filter })));
    for (const feed of live) await feed.next();
    const { id: planId } = await createPlan(app);
    await proceed(app, planId, [["setTags", { tags: ["departing"] }], "startPhase"]);
    await proceed(app, planId, [
      ["setTags", { tags: ["gone"] }],
      ["failPhase", { message: "no" }],
      "retryPhase",
    ]);
    await proceed(app, planId, ["startPhase", "completePhase", ["advancePlan", { to: "EXECUTE" }]]);
    await proceed(app, planId, ["startPhase", "completePhase", ["advancePlan", { to: "APPLY" }]]);
    await proceed(app, planId, [
      "startPhase",
      ["setTags", { tags: ["departing"] }],
      ["failPhase", { message: "no" }],
    ]);
    const expected = [
      ["PHASE_ADVANCED", "PHASE_ADVANCED"],
      ["PHASE_FAILED", "PHASE_RETRIED", "PHASE_FAILED"],
      ["TAGS_CHANGED", "PHASE_STARTED", "TAGS_CHANGED", "TAGS_CHANGED", "PHASE_FAILED"],
    ];
    for (const [index, types] of expected.entries()) {
      const replay = await openFeed(app.endpoint, "sse", { after, filter: filters[index] });
      for (const feed of [live[index], replay]) {
        const got: (string | undefined)[] = [];
        while (got.length < types.length) got.push((await feed?.event())?.type);
        expect(got).toEqual(types);
        feed?.drop();
      }
    }
  });

  it("of a root plan brings the events of descendants that are made later", async () => {
    const { id: rootPlanId } = await createPlan(app);
    const feed = await openFeed(app.endpoint, "sse", { filter: { rootPlanId } });
    await feed.next();
    await createPlan(app);
    const child = await createPlan(app, { parentPlanId: rootPlanId });
    const grandchild = await createPlan(app, { parentPlanId: child.id });
    expect(await feed.event()).toMatchObject({ planId: child.id });
    expect(await feed.event()).toMatchObject({ planId: grandchild.id });
    feed.drop();
  });

  it("over SSE names its place with each event, and goes on after the last one that a client names", async () => {
    const operation = { query: FEED, variables: {} };
    let stream = await app.events(FEED);
    let last = (await stream.next())?.id ?? "";
    const ids: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const { cursor } = await succeed(app, "createPlan", {
        actionName: "local/review",
        projectLinks: [{ projectName: "local/shop" }],
      });
      ids.push(cursor);
      const { cursor: second } = await succeed(app, "createPlan", {
        actionName: "local/review",
        projectLinks: [{ projectName: "local/shop" }],
      });
      ids.push(second);
      // As an EventSource does: it reads some, loses the connection, and says what it had.
      last = (await stream.next())?.id ?? "";
      expect(last).toBe(ids[round]);
      stream.drop();
      stream = await openEvents(app.endpoint, operation, { "last-event-id": last });
    }
    for (const id of ids.slice(4)) expect((await stream.next())?.id).toBe(id);
    stream.drop();
  });

  it("of a plan that is not there is refused, and its sibling on the socket goes on", async () => {
    const client = await app.socket();
    client.send({ id: "sibling", type: "subscribe", payload: { query: FEED } });
    expect(await client.next()).toMatchObject({ id: "sibling", type: "next" });
    const query = 'subscription { planUpdated(id: "7ZZZZZZZZZZZZZZZZZZZZZZZZZ") { id } }';
    client.send({ id: "failing", type: "subscribe", payload: { query } });
    expect(await client.next()).toMatchObject({
      id: "failing",
      type: "error",
      payload: [{ extensions: { code: "NOT_FOUND" } }],
    });
    const { id: planId } = await createPlan(app);
    expect(await client.next()).toMatchObject({
      id: "sibling",
      payload: { data: { planEvents: { event: { planId } } } },
    });
    client.socket.close();
    await client.closed;
  });

  it("of one plan shows it at once, after its moves, and ends when it is final", async () => {
    const { id } = await createPlan(app);
    const query =
      "subscription($id: ULID!) { planUpdated(id: $id) { version state children { totalCount } } }";
    const stream = await app.events(query, { id });
    expect((await stream.next())?.data?.data).toEqual({
      planUpdated: { version: 1, state: "QUEUED", children: { totalCount: 0 } },
    });
    await proceed(app, id, ["startPhase", ["failPhase", { message: "no" }], "retryPhase", "cancelPlan"]);
    for (let version = 1; version < 5; ) {
      const { planUpdated } = await dataOf<{ planUpdated: { version: number } }>(stream);
      expect(planUpdated.version).toBeGreaterThan(version);
      version = planUpdated.version;
    }
    expect((await stream.next())?.event).toBe("complete");
    expect(await stream.next()).toBe(null);
  });

  it("of counts brings them at once, and after a burst exactly those at its end", async () => {
    const query = 'subscription { planCounts(filter: { tags: { any: ["burst"] } }) { total asOf } }';
    const streams = await Promise.all([app.events(query), app.events(query)]);
    for (const stream of streams)
      expect((await stream.next())?.data?.data).toMatchObject({ planCounts: { total: 0 } });
    await Promise.all(Array.from({ length: 60 }, () => createPlan(app, { tags: ["burst"] })));
    for (const stream of streams) {
      let total = 0;
      while (total < 60) {
        const { planCounts } = await dataOf<{ planCounts: { total: number } }>(stream);
        expect(planCounts.total).toBeGreaterThan(total);
        total = planCounts.total;
      }
      expect(total).toBe(60);
      stream.drop();
    }
  });
});

describe("an item whose plan cannot be read", () => {
  it("ends its feed, and comes again to the client that resumes; counts that cannot be read end theirs", async () => {
    const app = await startTestApp(await createServerDatabase("migrated"), {
      environment: { PHASELINE_CACHE_BYTES: "1024" },
    });
    if (app.place.config.kind !== "server") throw new Error("This needs a second connection.");
    const { id: planId } = await createPlan(app);
    const after = await headOf(app);
    const client = await app.socket();
    // Counts that are not kept, but made of the plans.
    const counts = { query: 'subscription { planCounts(filter: { nameContains: "review" }) { total } }' };
    client.send({ id: "feed", type: "subscribe", payload: { query: FEED_WITH_PLANS } });
    client.send({ id: "counts", type: "subscribe", payload: counts });
    for (const _ of ["feed", "counts"]) expect(await client.next()).toMatchObject({ type: "next" });
    const stream = await app.events(FEED_WITH_PLANS, { after });
    const byHand = new pg.Client({ connectionString: app.place.config.url });
    await byHand.connect();
    // The commit both changes the log and takes away what the plan is read from.
    await byHand.query(`BEGIN; ALTER TABLE plan RENAME TO hidden;
      INSERT INTO plan_event (seq, plan_id, plan_version, type, at, actor, automatic, data_json, root_plan_id,
        action_name, to_phase, to_state)
      SELECT 2, id, 2, 'TAGS_CHANGED', now(), 'local/hand', false, '{}', id, action_name, phase, state FROM hidden;
      UPDATE hidden SET version = 2; UPDATE event_log SET seq = 2; COMMIT`);

    const failed = [await client.next(), await client.next()].sort((a, b) =>
      (a.id ?? "").localeCompare(b.id ?? ""),
    );
    expect(failed).toMatchObject(
      ["counts", "feed"].map((id) => ({
        id,
        type: "error",
        payload: [{ extensions: { code: "INTERNAL_SERVER_ERROR" } }],
      })),
    );
    const error = await stream.next();
    expect(error).toMatchObject({
      id: null,
      data: { errors: [{ extensions: { code: "INTERNAL_SERVER_ERROR" } }] },
    });
    expect((await stream.next())?.event).toBe("complete");

    await byHand.query("ALTER TABLE hidden RENAME TO plan");
    await byHand.end();
    client.send({
      id: "again",
      type: "subscribe",
      payload: { query: FEED_WITH_PLANS, variables: { after } },
    });
    expect(await client.next()).toMatchObject({
      id: "again",
      payload: { data: { planEvents: { plan: { id: planId, version: 2 } } } },
    });
    client.socket.terminate();
    await client.closed;
    await app.close();
  });
});
