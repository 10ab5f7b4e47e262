/** What a command answers when it does not happen: which refusal comes first, and all that it says (domain.md §5). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import {
  createPlan,
  createPlanAt,
  historyOf,
  type Outcome,
  readPlan,
  run,
  succeed,
} from "../support/plans.js";

const NOBODY = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

describe.each(appHomes)("a refusal ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  it("of a faulty input lists every fault with its path, before the plan is looked for", async () => {
    const outcome = await run(app, "failPhase", {
      planId: NOBODY,
      message: " ",
      expectedVersion: 0,
      details: { "a b": "\u0000" },
    });
    expect(outcome.code).toBe("INVALID_INPUT");
    expect(outcome.issues?.map(({ path, code }) => [path, code])).toEqual([
      ["expectedVersion", "OUT_OF_RANGE"],
      ["message", "BLANK"],
      ['details["a b"]', "NOT_STORABLE"],
    ]);
  });

  it("of a faulty input comes before those of the version and of the lifecycle", async () => {
    const { id } = await createPlan(app);
    const input = { planId: id, message: " ", expectedVersion: 7 };
    expect(await run(app, "failPhase", input)).toMatchObject({ code: "INVALID_INPUT" });
  });

  it("of a plan that is not there names its id, in upper case, before any version is compared", async () => {
    for (const mutation of ["startPhase", "archivePlan"]) {
      const outcome = await run(app, mutation, { planId: NOBODY.toLowerCase(), expectedVersion: 7 });
      expect(outcome).toMatchObject({ __typename: "NotFound", code: "NOT_FOUND", id: NOBODY });
    }
  });

  it("of a child names the parent that is not there", async () => {
    const input = { actionName: "review", projectLinks: [{ projectName: "shop" }], parentPlanId: NOBODY };
    expect(await run(app, "createPlan", input)).toMatchObject({ code: "NOT_FOUND", id: NOBODY });
    expect(await run(app, "createPlan", { ...input, dryRun: true })).toMatchObject({ code: "NOT_FOUND" });
  });

  it("of a version carries the plan as it is, and comes before that of the lifecycle", async () => {
    const plan = await createPlanAt(app, "EXECUTE", "ERRORED");
    const outcome = await run(app, "completePhase", { planId: plan.id, expectedVersion: plan.version - 1 });
    expect(outcome).toMatchObject({ code: "VERSION_CONFLICT", actualVersion: plan.version, plan });
    const ahead = await run(app, "completePhase", { planId: plan.id, expectedVersion: plan.version + 1 });
    expect(ahead).toMatchObject({ code: "VERSION_CONFLICT", actualVersion: plan.version });
  });

  it("does not come where the expected version is the right one", async () => {
    const { id, version } = await createPlan(app);
    const { plan } = await succeed(app, "startPhase", { planId: id, expectedVersion: version });
    expect(await run(app, "startPhase", { planId: id, expectedVersion: plan.version })).toMatchObject({
      code: "TRANSITION_REJECTED",
    });
  });

  it("comes after the replay of a key, whatever became of the plan since", async () => {
    const { id } = await createPlan(app);
    const input = { planId: id, expectedVersion: 1, idempotencyKey: `start ${id}` };
    const first = await succeed(app, "startPhase", input);
    await succeed(app, "cancelPlan", { planId: id });
    // Without its key, the same input has the wrong version, and the plan is final.
    const again = await run(app, "startPhase", input);
    expect(again).toMatchObject({ __typename: "StartPhaseSuccess", cursor: first.cursor });
    expect(again.plan).toMatchObject({ state: "CANCELLED", version: 3 });
  });

  it.each([
    ["STRATEGIZE", "APPLIED", "APPLIED does not follow STRATEGIZE: phases are never skipped."],
    ["EXECUTE", "STRATEGIZE", "STRATEGIZE does not follow EXECUTE: plans never go back."],
  ] as const)("of a move from %s to %s tells each of its reasons", async (phase, to, order) => {
    const { id } = await createPlanAt(app, phase, "PROCESSING");
    const outcome = await run(app, "advancePlan", { planId: id, to });
    expect(outcome).toMatchObject({
      message: `ADVANCE_PLAN is not allowed on a plan in ${phase}/PROCESSING.`,
      from: { phase, state: "PROCESSING" },
      to: { phase: to },
      blockers: [
        { code: "PHASE_ORDER", message: order },
        {
          code: "PHASE_NOT_COMPLETE",
          message: `${phase} is PROCESSING; the next phase needs it COMPLETE.`,
        },
      ],
    });
  });

  it("says where the command would have brought the plan", async () => {
    const { id } = await createPlanAt(app, "EXECUTE", "QUEUED");
    const targets: (Outcome["to"] | undefined)[] = [];
    for (const [mutation, input] of [
      ["completePhase", {}],
      ["retryPhase", {}],
      ["recordArtifacts", { changesetId: "c1" }],
      ["advancePlan", { to: "APPLIED" }],
    ] as const) {
      targets.push((await run(app, mutation, { planId: id, ...input })).to);
    }
    expect(targets).toEqual([
      { phase: "EXECUTE", state: "COMPLETE" },
      { phase: "EXECUTE", state: "QUEUED" },
      { phase: "EXECUTE", state: "QUEUED" },
      { phase: "APPLIED", state: "COMPLETE" },
    ]);
  });

  it("changes nothing, keeps no key and writes no event", async () => {
    const before = await createPlanAt(app, "STRATEGIZE", "ERRORED");
    const { asOf } = await app.ask<{ asOf: string }>("{ asOf }");
    const idempotencyKey = `refused ${before.id}`;
    await run(app, "completePhase", { planId: before.id, idempotencyKey });
    await run(app, "startPhase", { planId: before.id, expectedVersion: 1, idempotencyKey });
    await run(app, "failPhase", { planId: before.id, message: "", idempotencyKey });
    expect(await readPlan(app, before.id)).toEqual(before);
    expect(await app.ask("{ asOf }")).toEqual({ asOf });
    expect(await historyOf(app, before.id)).toHaveLength(before.version);
    await succeed(app, "retryPhase", { planId: before.id, idempotencyKey });
  });
});
