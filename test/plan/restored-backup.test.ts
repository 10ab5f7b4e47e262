import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app.js";
import { administrate, createServerDatabase } from "../support/databases.js";
import { createPlan, succeed } from "../support/plans.js";

describe("a backup that is restored under a running server", () => {
  let app: TestApp;
  let url: string;
  beforeAll(async () => {
    const place = await createServerDatabase("migrated");
    url = place.config.url;
    app = await startTestApp(place);
  });
  afterAll(() => app.close());

  const described = async (id: string) =>
    (
      await app.ask<{ plan: { description: string; version: number } }>(
        "query($id: ULID!) { plan(id: $id) { description version } }",
        { id },
      )
    ).plan;

  const restore = (id: string, version: number) =>
    administrate(
      (admin) =>
        admin.query(
          "UPDATE plan SET description = 'restored', version = $2, updated_at = updated_at - interval '1 hour' WHERE id = $1",
          [id, version],
        ),
      url,
    );

  it("shows in plans that were in memory with an equal version, and with a higher one", async () => {
    const { id } = await createPlan(app, { description: "lost" });
    await succeed(app, "setTags", { planId: id, tags: ["a"] });
    expect(await described(id)).toEqual({ description: "lost", version: 2 });
    await restore(id, 2);
    expect(await described(id)).toEqual({ description: "restored", version: 2 });
    await restore(id, 1);
    expect(await described(id)).toEqual({ description: "restored", version: 1 });
  });
});
