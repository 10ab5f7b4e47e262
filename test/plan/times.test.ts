import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restartAltered } from "../support/alterations.js";
import { type AppHome, appHomes, type TestApp } from "../support/app.js";
import { administrate } from "../support/databases.js";
import { createPlanAt, succeed } from "../support/plans.js";

const TIMES = `createdAt updatedAt appliedAt cancelledAt archivedAt cliDict
  phases { phase queuedAt startedAt finishedAt durationMs } events(first: 100) { edges { node { at } } }`;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Times {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly events: { readonly edges: readonly { readonly node: { readonly at: string } }[] };
}

const times = async (app: TestApp, id: string) =>
  (await app.ask<{ plan: Times }>(`query($id: ULID!) { plan(id: $id) { ${TIMES} } }`, { id })).plan;

describe.each(appHomes)("the times of a plan ($name)", (home) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await home.start();
  });
  afterAll(() => app.close());

  it("are in UTC with milliseconds, and those of now", async () => {
    const before = new Date().toISOString();
    const { id: planId } = await createPlanAt(app, "APPLIED", "COMPLETE");
    await succeed(app, "archivePlan", { planId });
    const after = new Date().toISOString();
    const plan = await times(app, planId);
    const instants =
      JSON.stringify(plan)
        .match(/"\d{4}-[^"]*"/g)
        ?.map((text) => JSON.parse(text) as string) ?? [];
    expect(instants.length).toBeGreaterThan(20);
    for (const instant of instants) {
      expect(instant).toMatch(INSTANT);
      expect(instant >= before && instant <= after, instant).toBe(true);
    }
    const at = plan.events.edges.map(({ node }) => node.at);
    expect(at).toEqual([...at].sort());
    expect([plan.createdAt, plan.updatedAt, plan.archivedAt]).toEqual([at[0], at.at(-1), at.at(-1)]);
  });

  it("stay what they are when the database keeps another time zone", async () => {
    const { id: planId } = await createPlanAt(app, "STRATEGIZE", "COMPLETE");
    const written = await times(app, planId);
    app = await inTimeZone(app, home, "America/New_York");
    expect(await times(app, planId)).toEqual(written);
    const before = new Date().toISOString();
    await succeed(app, "setTags", { planId, tags: ["elsewhere"] });
    const now = await times(app, planId);
    expect(now.updatedAt >= before && now.updatedAt <= new Date().toISOString()).toBe(true);
    const { plans } = await app.ask<{ plans: object }>(
      `query($at: DateTime!) { plans(filter: { updatedAfter: $at, createdBefore: $at }) { edges { node { id } } } }`,
      { at: before },
    );
    expect(plans).toEqual({ edges: [{ node: { id: planId } }] });
    app = await inTimeZone(app, home, "Asia/Kathmandu");
    expect(await times(app, planId)).toEqual(now);
  });

  it("never run backwards along the log, whatever the clock does", async () => {
    const { id: planId } = await createPlanAt(app, "STRATEGIZE", "QUEUED");
    const future = "2999-01-01T00:00:00.000Z";
    app = await restartAltered(app, [`UPDATE event_log SET at = '${future}'`]);
    await succeed(app, "setTags", { planId, tags: ["late"] });
    expect((await times(app, planId)).updatedAt).toBe(future);
  });
});

/** Restarts the server on a database whose sessions begin in another time zone; the embedded one has no such setting of its own. */
async function inTimeZone(app: TestApp, home: AppHome, zone: string): Promise<TestApp> {
  const { config } = app.place;
  await app.stop();
  if (config.kind === "server") {
    const name = new URL(config.url).pathname.slice(1);
    await administrate((admin) => admin.query(`ALTER DATABASE ${name} SET timezone = '${zone}'`));
  }
  return home.start({ place: app.place });
}
