/** Somebody else on the database server holds the table of plans: commands wait, and none of them fails. */
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app.js";
import { administrate, createServerDatabase, type DatabasePlace } from "../support/databases.js";
import { createPlan, readPlan } from "../support/plans.js";

describe("a locked table (server)", () => {
  let place: DatabasePlace<"server">;
  let app: TestApp;
  beforeAll(async () => {
    place = await createServerDatabase("migrated");
    app = await startTestApp(place);
  });
  afterAll(() => app.close());

  it("makes twenty creations wait, and all of them succeed once it is free", async () => {
    const { url } = place.config;
    const creations = await administrate(async (other) => {
      await other.query("BEGIN");
      await other.query("LOCK TABLE plan IN EXCLUSIVE MODE");
      const begun = Array.from({ length: 20 }, (_, index) => createPlan(app, { name: `team/plan-${index}` }));
      let over = false;
      const all = Promise.all(begun).finally(() => {
        over = true;
      });
      const blocked = administrate((watcher) => untilBlocked(watcher, () => over), url);
      await Promise.race([all, blocked]);
      await other.query("COMMIT");
      return all;
    }, url);

    const plans = await Promise.all(creations.map(({ id }) => readPlan(app, id)));
    expect(plans.map(({ name }) => name).sort()).toEqual(creations.map(({ name }) => name).sort());
    expect(new Set(creations.map(({ id }) => id)).size).toBe(20);
  });
});

/** Resolves once a connection to the watcher's database waits for a lock, or it is over anyway. */
async function untilBlocked(watcher: pg.Client, isOver: () => boolean): Promise<void> {
  for (let blocked = 0; blocked === 0 && !isOver(); ) {
    const { rows } = await watcher.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    blocked = rows[0]?.count ?? 0;
  }
}
