/** Cursors that cannot be served: each its own typed answer, and a place from which to resume. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, startTestApp, type TestApp } from "../support/app.js";
import { administrate, createServerDatabase } from "../support/databases.js";
import { openFeed, seqOf, TRANSPORTS } from "../support/feeds.js";
import { createPlan, proceed, succeed } from "../support/plans.js";

/** A cursor of the same log at another place. */
function moved(cursor: string, seq: number | string): string {
  const [identity] = Buffer.from(cursor, "base64url").toString().split("/");
  return Buffer.from(`${identity}/${seq}`).toString("base64url");
}

async function headOf(app: TestApp): Promise<string> {
  return (await app.ask<{ asOf: string }>("{ asOf }")).asOf;
}

describe.each(appHomes)("a feed ($name)", ({ start }) => {
  let app: TestApp;
  let planId: string;
  beforeAll(async () => {
    app = await start();
    planId = (await createPlan(app)).id;
  });
  afterAll(() => app.close());

  /** The reset over both transports, after which a feed from `resumeAt` brings what comes then. */
  async function expectReset(after: string, reason: string): Promise<void> {
    for (const transport of TRANSPORTS) {
      const feed = await openFeed(app.endpoint, transport, { after });
      const resumeAt = await headOf(app);
      expect(await feed.next()).toEqual({ __typename: "FeedReset", reason, resumeAt });
      expect(await feed.next()).toBe(null);
      feed.drop();
      const resumed = await openFeed(app.endpoint, transport, { after: resumeAt });
      const { cursor } = await succeed(app, "setTags", { planId, tags: [transport, reason] });
      expect(await resumed.next()).toMatchObject({ __typename: "PlanEventItem", cursor });
      resumed.drop();
    }
  }

  it.each([
    ["no text of ours", "nonsense"],
    ["empty", ""],
    ["of three parts", Buffer.from("a/1/2").toString("base64url")],
    ["without a number", Buffer.from("a/x").toString("base64url")],
    ["longer than any cursor", `${Buffer.from("a/1").toString("base64url")}${"A".repeat(20_000)}`],
    ["beyond 64 bits", Buffer.from("a/9223372036854775808").toString("base64url")],
  ])("from a cursor that is %s is answered by CURSOR_INVALID", async (_, cursor) => {
    await expectReset(cursor, "CURSOR_INVALID");
  });

  it("from another database's cursor is answered by CURSOR_FOREIGN", async () => {
    await expectReset(Buffer.from("another/1").toString("base64url"), "CURSOR_FOREIGN");
  });

  it("from a cursor beyond the log is answered by CURSOR_AHEAD", async () => {
    const head = await headOf(app);
    await expectReset(moved(head, "9223372036854775807"), "CURSOR_AHEAD");
  });

  it("from a cursor whose events are no longer kept is answered by CURSOR_EXPIRED, and the history says where it begins", async () => {
    const other = await start({ environment: { PHASELINE_EVENT_RETENTION: "2" } });
    const { id } = await createPlan(other);
    const first = await headOf(other);
    await proceed(other, id, ["startPhase", "completePhase"]);
    await proceed(other, id, [["setTags", { tags: ["a"] }], "cancelPlan"]);
    const page = async () => {
      const query = "{ planEvents(first: 10) { historyBegin edges { node { planVersion } } } }";
      const { planEvents } = await other.ask<{
        planEvents: { historyBegin: string; edges: { node: { planVersion: number } }[] };
      }>(query);
      return {
        begin: seqOf(planEvents.historyBegin),
        versions: planEvents.edges.map(({ node }) => node.planVersion),
      };
    };
    await expect.poll(page, { timeout: 30_000 }).toEqual({ begin: 3, versions: [4, 5] });
    for (const transport of TRANSPORTS) {
      const feed = await openFeed(other.endpoint, transport, { after: first });
      const resumeAt = await headOf(other);
      expect(await feed.next()).toEqual({ __typename: "FeedReset", reason: "CURSOR_EXPIRED", resumeAt });
      expect(await feed.next()).toBe(null);
      feed.drop();
      const kept = await openFeed(other.endpoint, transport, { after: moved(first, 3) });
      expect(await kept.seqs(2)).toEqual([4, 5]);
      kept.drop();
    }
    await other.close();
  });
});

describe("a feed on a log that is cut short while it is live", () => {
  it("is answered by CURSOR_AHEAD; counts and a resume go on with the log as it is", async () => {
    const place = await createServerDatabase("migrated");
    const app = await startTestApp(place);
    const kept = await createPlan(app);
    const { id } = await createPlan(app);
    const feeds = await Promise.all(TRANSPORTS.map((transport) => openFeed(app.endpoint, transport)));
    for (const feed of feeds) expect(await feed.next()).toMatchObject({ __typename: "FeedCheckpoint" });
    const counts = await app.events("subscription { planCounts { total } }");
    expect((await counts.next())?.data?.data).toEqual({ planCounts: { total: 2 } });
    await administrate(async (admin) => {
      await admin.query("BEGIN");
      for (const table of ["plan_event", "phase_progress", "project_link"])
        await admin.query(`DELETE FROM ${table} WHERE plan_id = $1`, [id]);
      await admin.query("DELETE FROM plan WHERE id = $1", [id]);
      await admin.query("UPDATE event_log SET seq = 1");
      await admin.query("COMMIT");
    }, place.config.url);
    const resumeAt = await headOf(app);
    for (const feed of feeds) {
      expect(await feed.next()).toEqual({ __typename: "FeedReset", reason: "CURSOR_AHEAD", resumeAt });
      expect(await feed.next()).toBe(null);
      feed.drop();
    }
    for (const transport of TRANSPORTS) {
      const resumed = await openFeed(app.endpoint, transport, { after: await headOf(app) });
      const { cursor } = await succeed(app, "setTags", { planId: kept.id, tags: [transport] });
      expect(await resumed.next()).toMatchObject({ cursor });
      resumed.drop();
    }
    expect((await counts.next())?.data?.data).toEqual({ planCounts: { total: 1 } });
    counts.drop();
    await app.close();
  });
});
