/** Somebody else on the database server holds the table of plans: commands wait, and none of them fails. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app.js";
import { administrate, createServerDatabase, type DatabasePlace } from "../support/databases.js";
import { createPlan, readPlan } from "../support/plans.js";

describe("a locked table (server)", () => {
  let place: DatabasePlace<"server">;
  let app: TestApp;
  beforeAll(async () => {
    place = await createServerDatabase("migrated");
    // The lock is held for as long as it takes all of them to meet it, which no statement may give up on.
    app = await startTestApp({ ...place, config: { ...place.config, statementTimeoutMs: 120_000 } });
  });
  afterAll(() => app.close());

  it("makes twenty creations wait, and all of them succeed once it is free", async () => {
    const creations = await administrate(async (other) => {
      await other.query("BEGIN");
      await other.query("LOCK TABLE plan IN EXCLUSIVE MODE");
      const begun = Array.from({ length: 20 }, (_, index) => createPlan(app, { name: `team/plan-${index}` }));
      const waiting = Promise.all(begun);
      let failed = false;
      waiting.catch(() => {
        failed = true;
      });
      for (let blocked = 0; blocked < place.config.poolSize && !failed; ) {
        const { rows } = await other.query<{ count: number }>(
          "SELECT count(DISTINCT pid)::int AS count FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())",
        );
        blocked = rows[0]?.count ?? 0;
      }
      await other.query("COMMIT");
      return waiting;
    }, place.config.url);

    const plans = await Promise.all(creations.map(({ id }) => readPlan(app, id)));
    expect(plans.map(({ name }) => name).sort()).toEqual(creations.map(({ name }) => name).sort());
    expect(new Set(creations.map(({ id }) => id)).size).toBe(20);
  });
});
