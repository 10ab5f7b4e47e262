/** A dry run answers what its command would, also where the answer nests, and leaves no trace. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, proceed, readPlan, succeed } from "../support/plans.js";

const NEW_PLAN = { actionName: "review", projectLinks: [{ projectName: "shop" }] };
const NESTED = `plan {
  name phase state version updatedAt tags
  parent { id } root { depth name }
  children { totalCount edges { node { id } } }
  events(first: 10) { totalCount edges { node { type } } }
}`;

interface Nested {
  readonly outcome: { readonly plan: Record<string, unknown> };
}

describe.each(appHomes)("a dry run ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  it("of a creation shows the plan, and makes none", async () => {
    const before = await headAndCount();
    const { plan, cursor } = await succeed(app, "createPlan", { ...NEW_PLAN, name: "team/x", dryRun: true });
    expect(plan).toMatchObject({ name: "team/x", phase: "STRATEGIZE", state: "QUEUED", version: 1 });
    expect(cursor).toBe(before.asOf);
    expect(await readPlan(app, plan.id)).toBeNull();
    expect(await headAndCount()).toEqual(before);
  });

  it("of a creation shows what would stand around the plan", async () => {
    const parent = await createPlan(app, { name: "team/parent" });
    const input = { ...NEW_PLAN, name: "team/child", dryRun: true };
    const query = `mutation($input: CreatePlanInput!) {
      outcome: createPlan(input: $input) { ... on CommandSuccess { ${NESTED} } }
    }`;
    const child = await app.ask<Nested>(query, { input: { ...input, parentPlanId: parent.id } });
    expect(child.outcome.plan).toMatchObject({
      name: "team/child",
      version: 1,
      parent: { id: parent.id },
      root: { depth: 0, name: "team/parent" },
      children: { totalCount: 0, edges: [] },
      events: { totalCount: 0, edges: [] },
    });
    const root = await app.ask<Nested>(query, { input });
    expect(root.outcome.plan).toMatchObject({ parent: null, root: { depth: 0, name: "team/child" } });
  });

  it("of a command shows the plan after it, whatever is asked besides", async () => {
    const { id } = await createPlan(app, { name: "team/before" });
    const stored = await readPlan(app, id);
    const query = `mutation($input: SetTagsInput!) {
      outcome: setTags(input: $input) { ... on CommandSuccess { ${NESTED} } }
    }`;
    const { outcome } = await app.ask<Nested>(query, { input: { planId: id, tags: ["new"], dryRun: true } });
    expect(outcome.plan).toMatchObject({
      tags: ["new"],
      version: 2,
      events: { totalCount: 1, edges: [{ node: { type: "PLAN_CREATED" } }] },
    });
    expect(await readPlan(app, id)).toEqual(stored);
  });

  it("answers the plan after the command, not one that others have moved on since", async () => {
    const { id } = await createPlan(app);
    const query = `mutation($tags: SetTagsInput!, $start: StartPhaseInput!) {
      tagged: setTags(input: $tags) { ... on CommandSuccess { ${NESTED} } }
      started: startPhase(input: $start) { ... on CommandSuccess { ${NESTED} } }
    }`;
    const { tagged, started } = await app.ask<Record<"tagged" | "started", Nested["outcome"]>>(query, {
      tags: { planId: id, tags: ["new"] },
      start: { planId: id, dryRun: true },
    });
    expect(tagged.plan).toMatchObject({ state: "QUEUED", version: 2, tags: ["new"] });
    expect(started.plan).toMatchObject({ state: "PROCESSING", version: 3, tags: ["new"] });
    await proceed(app, id, ["startPhase"]);
  });

  async function headAndCount(): Promise<{ asOf: string }> {
    return app.ask<{ asOf: string }>("{ asOf plans { totalCount } }");
  }
});
