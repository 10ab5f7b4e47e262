/** What phases record on their plan, bit by bit: how it is merged, and that its limits hold for the whole (domain.md §3). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlanAt, proceed, readPlan, run, succeed } from "../support/plans.js";

const ARTIFACTS = "changesetId sandboxRefs validationSummary estimate decisionRootId";
const ROOT = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

describe.each(appHomes)("an artifact ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  it("replaces, is added or is merged, each in its way, with the completion as by itself", async () => {
    const { id } = await createPlanAt(app, "STRATEGIZE", "PROCESSING");
    await proceed(app, id, [
      [
        "recordArtifacts",
        {
          changesetId: "c1",
          sandboxRefs: ["s2", "s1", "s2"],
          validationSummary: { lint: { errors: 3 }, types: "good" },
          estimate: { hours: 3, by: "ada" },
          decisionRootId: ROOT.toLowerCase(),
        },
      ],
      [
        "completePhase",
        { changesetId: "c2", sandboxRefs: ["s3", "s1"], validationSummary: { lint: { warnings: 1 } } },
      ],
      ["advancePlan", { to: "EXECUTE" }],
      "startPhase",
      ["recordArtifacts", { estimate: { hours: 5 } }],
    ]);
    expect(await readPlan(app, id, ARTIFACTS)).toEqual({
      changesetId: "c2",
      sandboxRefs: ["s2", "s1", "s3"],
      validationSummary: { lint: { warnings: 1 }, types: "good" },
      estimate: { hours: 5 },
      decisionRootId: ROOT,
    });
  });

  it("that is null or left out leaves what was recorded", async () => {
    const { id } = await createPlanAt(app, "STRATEGIZE", "PROCESSING");
    const recorded = { changesetId: "c1", sandboxRefs: ["s1"], validationSummary: { lint: "good" } };
    const nothing = { changesetId: null, sandboxRefs: null, validationSummary: null, estimate: null };
    await proceed(app, id, [
      ["recordArtifacts", recorded],
      ["recordArtifacts", { ...nothing, sandboxRefs: [] }],
      ["completePhase", nothing],
    ]);
    expect(await readPlan(app, id, ARTIFACTS)).toEqual({ ...recorded, estimate: null, decisionRootId: null });
  });

  it("is a thousand sandbox refs at most, with those recorded before", async () => {
    const { id } = await createPlanAt(app, "EXECUTE", "PROCESSING");
    const refs = Array.from({ length: 1_000 }, (_, index) => `s${index}`);
    await succeed(app, "recordArtifacts", { planId: id, sandboxRefs: refs });
    await succeed(app, "recordArtifacts", { planId: id, sandboxRefs: ["s7", "s999"] });
    for (const mutation of ["recordArtifacts", "completePhase"]) {
      const outcome = await run(app, mutation, { planId: id, sandboxRefs: ["s7", "one more"] });
      expect(outcome).toMatchObject({
        code: "INVALID_INPUT",
        issues: [{ path: "sandboxRefs", code: "TOO_MANY" }],
      });
    }
    expect(await readPlan(app, id, "state sandboxRefs")).toEqual({ state: "PROCESSING", sandboxRefs: refs });
  });

  it("is no larger merged than in one report, and neither are the details of errors", async () => {
    const half = "x".repeat(130 * 1024);
    const { id } = await createPlanAt(app, "EXECUTE", "PROCESSING");
    await succeed(app, "recordArtifacts", { planId: id, validationSummary: { first: half } });
    const outcome = await run(app, "completePhase", {
      planId: id,
      validationSummary: { second: half },
      sandboxRefs: ["s1"],
    });
    expect(outcome).toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: "validationSummary", code: "TOO_LARGE" }],
    });
    await succeed(app, "recordArtifacts", { planId: id, validationSummary: { first: half } });

    await succeed(app, "failPhase", { planId: id, message: "First.", details: { first: half } });
    const again = await run(app, "failPhase", { planId: id, message: "Second.", details: { second: half } });
    expect(again).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "details", code: "TOO_LARGE" }] });
    await succeed(app, "failPhase", { planId: id, message: "Second." });
    expect(await readPlan(app, id, "errorMessage errorDetails")).toEqual({
      errorMessage: "Second.",
      errorDetails: { first: half },
    });
  });

  it("is an invariant only up to five hundred of a plan", async () => {
    const invariants = Array.from({ length: 499 }, (_, index) => ({ text: `Rule ${index}.` }));
    const { id } = await createPlanAt(app, "STRATEGIZE", "QUEUED", { invariants });
    await succeed(app, "addInvariant", { planId: id, invariant: { text: "The last one." } });
    const outcome = await run(app, "addInvariant", {
      planId: id,
      invariant: { text: "One more." },
      expectedVersion: 1,
    });
    expect(outcome).toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: "invariant", code: "TOO_MANY" }],
    });
    const { kept } = await readPlan<{ kept: { text: string }[] }>(app, id, "kept: invariants { text }");
    expect(kept).toEqual([...invariants, { text: "The last one." }]);
  });
});
