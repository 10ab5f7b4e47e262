/** What each command leaves on its plan and in the plan's history (domain.md §3, events.md). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { until } from "../support/http.js";
import { createPlan, createPlanAt, historyOf, proceed, readPlan, run, succeed } from "../support/plans.js";

const PROGRESS = "phases { phase status queuedAt startedAt finishedAt attempts durationMs }";
interface Progress {
  readonly phase: string;
  readonly status: string;
  readonly queuedAt: string | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly attempts: number;
  readonly durationMs: number | null;
}

const ERRORS = "state errorMessage errorDetails";

describe.each(appHomes)("a command ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  it("writes one event that says what happened, from where to where", async () => {
    const { id } = await createPlan(app, { name: "team/one", tags: ["a"] });
    const child = await createPlan(app, { name: "team/two", parentPlanId: id.toLowerCase() });
    await proceed(app, id, [
      "startPhase",
      ["failPhase", { message: "No disk.", details: { free: 0 } }],
      ["failPhase", { message: "Still none." }],
      "retryPhase",
      "startPhase",
      ["recordArtifacts", { changesetId: "c1" }],
      ["completePhase", { sandboxRefs: ["s1"], note: "At last." }],
      ["setTags", { tags: ["b", "a", "b"] }],
      ["addInvariant", { invariant: { text: "Stay green.", scope: "GLOBAL", nonOverridable: true } }],
      ["advancePlan", { to: "EXECUTE", note: "Go." }],
      ["cancelPlan", { reason: "No longer needed." }],
      "archivePlan",
      "unarchivePlan",
    ]);
    const history = await historyOf(app, id);
    const positions = history.map(({ from, to }) => [
      from && `${from.phase}/${from.state}`,
      `${to.phase}/${to.state}`,
    ]);
    expect(history.map(({ type, data }, index) => [type, ...(positions[index] ?? []), data])).toEqual([
      ["PLAN_CREATED", null, "STRATEGIZE/QUEUED", { name: "team/one", automationLevel: "MANUAL" }],
      ["PHASE_STARTED", "STRATEGIZE/QUEUED", "STRATEGIZE/PROCESSING", { attempt: 1 }],
      [
        "PHASE_FAILED",
        "STRATEGIZE/PROCESSING",
        "STRATEGIZE/ERRORED",
        { message: "No disk.", details: { free: 0 } },
      ],
      ["PHASE_FAILED", "STRATEGIZE/ERRORED", "STRATEGIZE/ERRORED", { message: "Still none." }],
      ["PHASE_RETRIED", "STRATEGIZE/ERRORED", "STRATEGIZE/QUEUED", {}],
      ["PHASE_STARTED", "STRATEGIZE/QUEUED", "STRATEGIZE/PROCESSING", { attempt: 2 }],
      ["ARTIFACTS_RECORDED", "STRATEGIZE/PROCESSING", "STRATEGIZE/PROCESSING", { changesetId: "c1" }],
      [
        "PHASE_COMPLETED",
        "STRATEGIZE/PROCESSING",
        "STRATEGIZE/COMPLETE",
        { sandboxRefs: ["s1"], note: "At last." },
      ],
      ["TAGS_CHANGED", "STRATEGIZE/COMPLETE", "STRATEGIZE/COMPLETE", {}],
      [
        "INVARIANT_ADDED",
        "STRATEGIZE/COMPLETE",
        "STRATEGIZE/COMPLETE",
        { id: expect.any(String), text: "Stay green.", scope: "GLOBAL", nonOverridable: true },
      ],
      ["PHASE_ADVANCED", "STRATEGIZE/COMPLETE", "EXECUTE/QUEUED", { note: "Go." }],
      ["PLAN_CANCELLED", "EXECUTE/QUEUED", "EXECUTE/CANCELLED", { reason: "No longer needed." }],
      ["PLAN_ARCHIVED", "EXECUTE/CANCELLED", "EXECUTE/CANCELLED", {}],
      ["PLAN_UNARCHIVED", "EXECUTE/CANCELLED", "EXECUTE/CANCELLED", {}],
    ]);
    expect(history.map(({ planVersion }) => planVersion)).toEqual(history.map((_, index) => index + 1));
    expect(history.map(({ automatic }) => automatic)).toEqual(history.map(() => false));
    const [tagged] = history.filter(({ type }) => type === "TAGS_CHANGED");
    expect([tagged?.from?.tags, tagged?.to.tags]).toEqual([["a"], ["b", "a"]]);
    expect((await historyOf(app, child.id))[0]?.data).toMatchObject({ parentPlanId: id });
  });

  it("moves version and updatedAt, a tag too, to those of its event", async () => {
    const { id } = await createPlan(app);
    let earlier = await readPlan(app, id);
    for (const [mutation, input] of [
      ["setTags", { tags: ["urgent"] }],
      ["addInvariant", { invariant: { text: "Stay green." } }],
      ["startPhase", {}],
      ["recordArtifacts", { estimate: {} }],
      ["setTags", { tags: ["urgent"] }],
    ] as const) {
      const { updatedAt } = earlier;
      await until(() => Date.now() > Date.parse(updatedAt));
      const { plan, cursor } = await succeed(app, mutation, { planId: id, ...input });
      const event = (await historyOf(app, id)).at(-1);
      expect(event).toMatchObject({ cursor, planVersion: earlier.version + 1, at: plan.updatedAt });
      expect(plan.version).toBe(earlier.version + 1);
      expect(Date.parse(plan.updatedAt)).toBeGreaterThan(Date.parse(updatedAt));
      expect(await readPlan(app, id)).toEqual(plan);
      earlier = plan;
    }
  });

  it("is of the actor that its request names", async () => {
    const { id } = await createPlan(app);
    await run(app, "startPhase", { planId: id }, { "x-phaseline-actor": "Hub.Example:Team/Ada" });
    await run(app, "completePhase", { planId: id }, { "x-phaseline-actor": "bob" });
    expect((await historyOf(app, id)).map(({ actor }) => actor)).toEqual([
      "local/anonymous",
      "hub.example:team/ada",
      "local/bob",
    ]);
  });

  it("counts starts, and times the last one until the completion", async () => {
    const { id } = await createPlan(app);
    await proceed(app, id, ["startPhase", ["failPhase", { message: "No disk." }]]);
    const failed = await progressOf(id);
    expect(failed[0]).toMatchObject({ status: "ERRORED", finishedAt: null, attempts: 1, durationMs: null });

    const { plan: retried } = await succeed(app, "retryPhase", { planId: id });
    const queued = await progressOf(id);
    expect(queued[0]).toEqual({ ...failed[0], status: "QUEUED", queuedAt: retried.updatedAt });

    const { plan: started } = await succeed(app, "startPhase", { planId: id });
    const { plan: completed } = await succeed(app, "completePhase", { planId: id });
    const { plan: entered } = await succeed(app, "advancePlan", { planId: id, to: "EXECUTE" });
    expect(await progressOf(id)).toEqual([
      {
        phase: "STRATEGIZE",
        status: "COMPLETE",
        queuedAt: retried.updatedAt,
        startedAt: started.updatedAt,
        finishedAt: completed.updatedAt,
        attempts: 2,
        durationMs: Date.parse(completed.updatedAt) - Date.parse(started.updatedAt),
      },
      { ...NOT_STARTED, phase: "EXECUTE", status: "QUEUED", queuedAt: entered.updatedAt },
      { ...NOT_STARTED, phase: "APPLY" },
      { ...NOT_STARTED, phase: "APPLIED" },
    ]);
  });

  it("that applies a plan says when, and finishes the last phase", async () => {
    const { id, updatedAt } = await createPlanAt(app, "APPLIED", "COMPLETE");
    const { appliedAt } = await readPlan<{ appliedAt: string }>(app, id, "appliedAt");
    expect(appliedAt).toBe(updatedAt);
    const applied = { ...NOT_STARTED, phase: "APPLIED", status: "COMPLETE", finishedAt: updatedAt };
    expect((await progressOf(id))[3]).toEqual(applied);
  });

  it("that fails again merges the details and keeps the newest message, and the retry clears both", async () => {
    const { id } = await createPlan(app);
    await proceed(app, id, [
      "startPhase",
      ["failPhase", { message: "First.", details: { disk: { free: 0, path: "/a" }, tries: 1 } }],
      ["failPhase", { message: "Second.", details: { disk: { free: 1 }, host: null } }],
    ]);
    expect(await readPlan(app, id, ERRORS)).toEqual({
      state: "ERRORED",
      errorMessage: "Second.",
      errorDetails: { disk: { free: 1 }, tries: 1, host: null },
    });
    await proceed(app, id, [["failPhase", { message: "Third." }]]);
    expect(await readPlan(app, id, ERRORS)).toMatchObject({
      errorMessage: "Third.",
      errorDetails: { disk: { free: 1 }, tries: 1, host: null },
    });

    await proceed(app, id, ["retryPhase"]);
    expect(await readPlan(app, id, ERRORS)).toEqual({
      state: "QUEUED",
      errorMessage: null,
      errorDetails: null,
    });
    const reports = (await historyOf(app, id)).filter(({ type }) => type === "PHASE_FAILED");
    expect(reports.map(({ data }) => data.message)).toEqual(["First.", "Second.", "Third."]);
    expect(reports[0]?.data.details).toEqual({ disk: { free: 0, path: "/a" }, tries: 1 });
  });

  it("that cancels keeps the reason, the time, and the error that the plan had", async () => {
    const { id } = await createPlanAt(app, "EXECUTE", "ERRORED");
    const { plan } = await succeed(app, "cancelPlan", { planId: id, reason: "Too\nlate 😀" });
    await proceed(app, id, ["archivePlan", ["setTags", { tags: ["late"] }]]);
    expect(await readPlan(app, id, "cancelledAt cancelReason errorMessage appliedAt")).toEqual({
      cancelledAt: plan.updatedAt,
      cancelReason: "Too\nlate 😀",
      errorMessage: "It went wrong.",
      appliedAt: null,
    });
  });

  it("that archives says when, until the plan is brought back", async () => {
    const { id } = await createPlanAt(app, "STRATEGIZE", "CANCELLED");
    const { plan } = await succeed(app, "archivePlan", { planId: id });
    expect(await readPlan(app, id, "archivedAt")).toEqual({ archivedAt: plan.updatedAt });
    await succeed(app, "unarchivePlan", { planId: id });
    expect(await readPlan(app, id, "archivedAt")).toEqual({ archivedAt: null });
  });

  it("that creates a child sets its place in the tree for good", async () => {
    const root = await createPlan(app);
    const child = await createPlan(app, { parentPlanId: root.id });
    const grandchild = await createPlan(app, { parentPlanId: child.id.toLowerCase() });
    const place = "parentPlanId rootPlanId depth";
    expect(await readPlan(app, root.id, place)).toEqual({
      parentPlanId: null,
      rootPlanId: root.id,
      depth: 0,
    });
    expect(await readPlan(app, grandchild.id, place)).toEqual({
      parentPlanId: child.id,
      rootPlanId: root.id,
      depth: 2,
    });
    expect((await readPlan(app, root.id)).version).toBe(1);
  });

  async function progressOf(id: string): Promise<readonly Progress[]> {
    return (await readPlan<{ phases: Progress[] }>(app, id, PROGRESS)).phases;
  }
});

const NOT_STARTED = {
  status: "NOT_STARTED",
  queuedAt: null,
  startedAt: null,
  finishedAt: null,
  attempts: 0,
  durationMs: null,
};
