/** How far a plan goes by itself when a phase completes (domain.md §4), and what the log says of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, historyOf, proceed, readPlan, run, type Step, succeed } from "../support/plans.js";

/** The table of domain.md §4, by hand: where a plan stands after it completed each phase. */
const LEVELS = [
  {
    level: "MANUAL",
    strategize: "STRATEGIZE/COMPLETE",
    execute: "EXECUTE/COMPLETE",
    apply: "APPLY/COMPLETE",
  },
  {
    level: "REVIEW_BEFORE_APPLY",
    strategize: "EXECUTE/QUEUED",
    execute: "EXECUTE/COMPLETE",
    apply: "APPLIED/COMPLETE",
  },
  {
    level: "FULL_AUTOMATION",
    strategize: "EXECUTE/QUEUED",
    execute: "APPLY/QUEUED",
    apply: "APPLIED/COMPLETE",
  },
];

const WORK: readonly Step[] = ["startPhase", "completePhase"];

describe.each(appHomes)("a plan that completes a phase ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  it.each(LEVELS)("goes exactly as far as $level lets it", async ({ level, strategize, execute, apply }) => {
    const { id } = await createPlan(app, { automationLevel: level });
    const reached = [];
    for (const next of ["EXECUTE", "APPLY", "APPLIED"] as const) {
      const { phase, state } = await proceed(app, id, WORK);
      reached.push(`${phase}/${state}`);
      if (phase !== next) await proceed(app, id, [["advancePlan", { to: next }]]);
    }
    expect(reached).toEqual([strategize, execute, apply]);

    const moves = (await historyOf(app, id)).filter(
      ({ from, to }) => from !== null && from.phase !== to.phase,
    );
    expect(moves.map(({ to, automatic }) => [to.phase, automatic])).toEqual([
      ["EXECUTE", strategize !== "STRATEGIZE/COMPLETE"],
      ["APPLY", execute !== "EXECUTE/COMPLETE"],
      ["APPLIED", apply !== "APPLY/COMPLETE"],
    ]);
  });

  it("is moved by an event of its own, next to the completion and of the same moment", async () => {
    const { id } = await createPlan(app, { automationLevel: "FULL_AUTOMATION" });
    await proceed(app, id, [...WORK, ...WORK, ...WORK]);
    const history = await historyOf(app, id);
    const types = ["PHASE_ADVANCED", "PHASE_ADVANCED", "PLAN_APPLIED"];
    const moves = history.filter(({ automatic }) => automatic);
    expect(moves.map(({ type }) => type)).toEqual(types);

    for (const move of moves) {
      const completion = history[move.planVersion - 2];
      expect(completion).toMatchObject({ type: "PHASE_COMPLETED", automatic: false, at: move.at });
      expect(BigInt(move.seq) - BigInt(completion?.seq ?? 0)).toBe(1n);
      expect(move).toMatchObject({ actor: completion?.actor, from: completion?.to });
    }
  });

  it("answers with the plan and the cursor after the move that it made by itself", async () => {
    const { id } = await createPlan(app, { automationLevel: "REVIEW_BEFORE_APPLY" });
    await succeed(app, "startPhase", { planId: id });
    const { plan, cursor } = await succeed(app, "completePhase", { planId: id });
    expect(plan).toEqual(await readPlan(app, id));
    expect(plan).toMatchObject({ phase: "EXECUTE", state: "QUEUED", version: 4 });
    expect((await historyOf(app, id)).at(-1)?.cursor).toBe(cursor);
  });

  it("tells in a dry run how far it would go, and stays", async () => {
    const { id } = await createPlan(app, { automationLevel: "FULL_AUTOMATION" });
    const { plan } = await succeed(app, "startPhase", { planId: id });
    const rehearsal = await succeed(app, "completePhase", { planId: id, dryRun: true });
    expect(rehearsal.plan).toMatchObject({ phase: "EXECUTE", state: "QUEUED", version: 4 });
    expect(await readPlan(app, id)).toEqual(plan);
  });

  it("is not moved by anything but a completion", async () => {
    const { id } = await createPlan(app, { automationLevel: "FULL_AUTOMATION" });
    const { phase, state } = await proceed(app, id, [
      "startPhase",
      ["failPhase", { message: "No disk." }],
      "retryPhase",
      "startPhase",
      ["recordArtifacts", { changesetId: "c1" }],
      ["setTags", { tags: ["urgent"] }],
    ]);
    expect([phase, state]).toEqual(["STRATEGIZE", "PROCESSING"]);
  });

  it("waits at each gate of a MANUAL plan, and refuses to enter EXECUTE twice", async () => {
    const { id } = await createPlan(app);
    await proceed(app, id, [...WORK, ["advancePlan", { to: "EXECUTE" }]]);
    const before = await readPlan(app, id);
    const again = await run(app, "advancePlan", { planId: id, to: "EXECUTE" });
    expect(again).toMatchObject({
      code: "TRANSITION_REJECTED",
      blockers: [
        { code: "ALREADY_THERE", message: "The plan is in EXECUTE already." },
        { code: "PHASE_NOT_COMPLETE", message: "EXECUTE is QUEUED; the next phase needs it COMPLETE." },
      ],
    });
    expect(await readPlan(app, id)).toEqual(before);
  });
});
