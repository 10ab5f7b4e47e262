/** The same command sent again under its idempotency key, early, late and all at once (domain.md §5). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, historyOf, proceed, readPlan, run, succeed } from "../support/plans.js";

const NEW_PLAN = { actionName: "review", projectLinks: [{ projectName: "shop" }], name: "team/once" };

describe.each(appHomes)("an idempotency key ($name)", ({ start }) => {
  let app: TestApp;
  let used = 0;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  function newKey(): string {
    used += 1;
    return `key ${used}`;
  }

  it("answers a creation that is sent again with the first cursor and the plan as it is now", async () => {
    const input = { ...NEW_PLAN, idempotencyKey: newKey() };
    const first = await succeed(app, "createPlan", input);
    expect(await succeed(app, "createPlan", input)).toEqual(first);

    const moved = await proceed(app, first.plan.id, ["startPhase", ["setTags", { tags: ["urgent"] }]]);
    expect(await succeed(app, "createPlan", input)).toEqual({ ...first, plan: moved });
    expect(await historyOf(app, first.plan.id)).toHaveLength(3);
  });

  it("makes one plan of twenty identical creations at once, and tells all of it", async () => {
    const input = { ...NEW_PLAN, idempotencyKey: newKey() };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => succeed(app, "createPlan", input)));
    expect(new Set(outcomes.map(({ plan, cursor }) => `${plan.id} ${cursor}`)).size).toBe(1);
  });

  it("makes one start of twenty identical ones at once, and tells all of it", async () => {
    const { id } = await createPlan(app);
    const input = { planId: id, idempotencyKey: newKey() };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => succeed(app, "startPhase", input)));
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
    expect((await historyOf(app, id)).map(({ type }) => type)).toEqual(["PLAN_CREATED", "PHASE_STARTED"]);
  });

  it("lets one of several payloads win that come at once, and tells the others of its plan", async () => {
    const idempotencyKey = newKey();
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        run(app, "createPlan", { ...NEW_PLAN, description: `Number ${index % 3}`, idempotencyKey }),
      ),
    );
    expect(outcomes.filter(({ cursor }) => cursor !== undefined)).toHaveLength(4);
    expect(outcomes.filter(({ code }) => code === "IDEMPOTENCY_CONFLICT")).toHaveLength(8);
    expect(new Set(outcomes.map(({ plan }) => plan.id)).size).toBe(1);
  });

  it.each([
    ["another value", { description: "Something else." }],
    ["a value more", { tags: ["urgent"] }],
    ["other arguments", { arguments: { a: { b: 2 } } }],
  ])("refuses %s with the plan that used it first", async (_what, difference) => {
    const input = { ...NEW_PLAN, arguments: { a: { b: 1 } }, idempotencyKey: newKey() };
    const { plan } = await succeed(app, "createPlan", input);
    const outcome = await run(app, "createPlan", { ...input, ...difference });
    expect(outcome).toMatchObject({ __typename: "IdempotencyConflict", code: "IDEMPOTENCY_CONFLICT", plan });
  });

  it("takes null for left out, and one order of JSON keys for another", async () => {
    const input = { ...NEW_PLAN, arguments: { a: 1, b: { c: 2, d: 3 } }, idempotencyKey: newKey() };
    const { plan } = await succeed(app, "createPlan", { ...input, argumentsOrder: ["a", "b"] });
    const again = await succeed(app, "createPlan", {
      ...input,
      arguments: { b: { d: 3, c: 2 }, a: 1 },
      argumentsOrder: ["a", "b"],
      tags: null,
    });
    expect(again.plan).toEqual(plan);
  });

  it("takes null for left out inside of the objects of an input, and other spellings of ids and names", async () => {
    const parent = await createPlan(app);
    const input = {
      ...NEW_PLAN,
      idempotencyKey: newKey(),
      parentPlanId: parent.id,
      invariants: [{ text: "a" }],
    };
    const { plan } = await succeed(app, "createPlan", input);
    const again = await succeed(app, "createPlan", {
      ...input,
      name: "TEAM/once",
      actionName: "local/review",
      parentPlanId: parent.id.toLowerCase(),
      projectLinks: [{ projectName: "local/Shop", alias: null, readOnly: null }],
      invariants: [{ text: "a", scope: null, sourceName: null }],
    });
    expect(again.plan).toEqual(plan);
  });

  it("takes what a field is without a value for left out, and a tag twice for once", async () => {
    const input = { ...NEW_PLAN, idempotencyKey: newKey(), invariants: [{ text: "a" }] };
    const { plan } = await succeed(app, "createPlan", { ...input, tags: ["a"] });
    const again = await succeed(app, "createPlan", {
      ...input,
      description: "",
      arguments: {},
      automationLevel: "MANUAL",
      projectLinks: [{ projectName: "shop", readOnly: false }],
      invariants: [{ text: "a", scope: "PLAN", nonOverridable: false }],
      tags: ["a", "a"],
    });
    expect(again.plan).toEqual(plan);
    const bare = { ...NEW_PLAN, name: "team/bare", idempotencyKey: newKey() };
    const first = await succeed(app, "createPlan", { ...bare, tags: [], invariants: [] });
    expect((await succeed(app, "createPlan", bare)).plan).toEqual(first.plan);

    const planId = first.plan.id;
    await succeed(app, "startPhase", { planId });
    const completion = { planId, idempotencyKey: newKey() };
    await succeed(app, "completePhase", completion);
    await succeed(app, "completePhase", { ...completion, sandboxRefs: [] });
  });

  it.each([
    ["a null in JSON that was not there", { a: 1, b: {} }, { a: 1, b: { c: null } }],
    ["a null among the arguments that was not there", { a: 1 }, { a: 1, b: null }],
    ["arguments received in another order", { a: 1, b: 2 }, { b: 2, a: 1 }],
  ])("refuses %s", async (_what, first, second) => {
    const input = { ...NEW_PLAN, idempotencyKey: newKey() };
    await succeed(app, "createPlan", { ...input, arguments: first });
    expect(await run(app, "createPlan", { ...input, arguments: second })).toMatchObject({
      code: "IDEMPOTENCY_CONFLICT",
    });
  });

  it("is of the whole server: another command and another plan are conflicts", async () => {
    const { id } = await createPlan(app);
    const other = await createPlan(app);
    const idempotencyKey = newKey();
    const { plan } = await succeed(app, "startPhase", { planId: id, idempotencyKey });
    for (const [mutation, input] of [
      ["completePhase", { planId: id }],
      ["startPhase", { planId: other.id }],
      ["createPlan", NEW_PLAN],
    ] as const) {
      const outcome = await run(app, mutation, { ...input, idempotencyKey });
      expect(outcome).toMatchObject({ code: "IDEMPOTENCY_CONFLICT", plan });
    }
    expect(await readPlan(app, other.id)).toEqual(other);
  });

  it("is not used by a dry run, in neither order", async () => {
    const { id } = await createPlan(app);
    const input = { planId: id, idempotencyKey: newKey() };
    await succeed(app, "startPhase", { ...input, dryRun: true });
    expect((await succeed(app, "startPhase", input)).plan.version).toBe(2);
    // The dry run asks what the command would do without its key: the plan is started already.
    expect(await run(app, "startPhase", { ...input, dryRun: true })).toMatchObject({
      code: "TRANSITION_REJECTED",
    });
  });

  it("holds a repeat of a command that moved the plan twice", async () => {
    const { id } = await createPlan(app, { automationLevel: "FULL_AUTOMATION" });
    await proceed(app, id, ["startPhase"]);
    const input = { planId: id, idempotencyKey: newKey(), changesetId: "c1" };
    const first = await succeed(app, "completePhase", input);
    expect(await succeed(app, "completePhase", input)).toEqual(first);
    expect((await historyOf(app, id)).at(-1)).toMatchObject({ cursor: first.cursor, automatic: true });
  });
});
