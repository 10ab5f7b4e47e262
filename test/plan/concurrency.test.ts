/** Commands at once: one wins, the others hear why they lost, and no client ever sees an unexpected error. */
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

describe.each(appHomes)("commands at once ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
    // Commands only meet once the connections that they run on are open.
    await atOnce(20, () => createPlan(app));
  });
  afterAll(() => app.close());

  it("let one of fifty identical moves win", async () => {
    const { id, version } = await createPlanAt(app, "STRATEGIZE", "COMPLETE");
    const outcomes = await atOnce(50, () => run(app, "advancePlan", { planId: id, to: "EXECUTE" }));
    const { won, rejected } = sorted(outcomes);
    expect([won.length, rejected.length]).toEqual([1, 49]);
    expect(won[0]?.plan).toMatchObject({ phase: "EXECUTE", state: "QUEUED", version: version + 1 });
    expect(await readPlan(app, id)).toEqual(won[0]?.plan);
    expect(await historyOf(app, id)).toHaveLength(version + 1);
    for (const { blockers } of rejected) expect(blockers?.[0]?.code).toBe("ALREADY_THERE");
  });

  it("let one of fifty that expect the same version win, and show the others what it made", async () => {
    const { id, version } = await createPlanAt(app, "EXECUTE", "QUEUED");
    const outcomes = await atOnce(50, (index) =>
      run(app, "setTags", { planId: id, tags: [`tag ${index}`], expectedVersion: version }),
    );
    const { won } = sorted(outcomes);
    expect(won).toHaveLength(1);
    const lost = outcomes.filter(({ code }) => code === "VERSION_CONFLICT");
    expect(lost).toHaveLength(49);
    for (const { plan, actualVersion } of lost) {
      expect([actualVersion, plan]).toEqual([version + 1, won[0]?.plan]);
    }
    expect(await historyOf(app, id)).toHaveLength(version + 1);
  });

  it("let each competing target win or lose by the tables, and leave one event for each winner", async () => {
    const { id, version } = await createPlanAt(app, "EXECUTE", "PROCESSING");
    const attempts = ["completePhase", "failPhase", "retryPhase", "startPhase", "cancelPlan"];
    const outcomes = await atOnce(50, (index) => {
      const mutation = attempts[index % attempts.length] ?? "";
      return run(app, mutation, { planId: id, ...(mutation === "failPhase" ? { message: "No disk." } : {}) });
    });
    const { won, rejected } = sorted(outcomes);
    expect(won.length + rejected.length).toBe(50);
    const history = await historyOf(app, id);
    expect(history.slice(version)).toHaveLength(won.length);
    expect(won.map(({ cursor }) => cursor).sort()).toEqual(
      history
        .slice(version)
        .map(({ cursor }) => cursor)
        .sort(),
    );
    for (const [index, { from }] of history.entries()) {
      const before = history[index - 1];
      expect(from).toEqual(before?.to ?? null);
    }
    expect(history.at(-1)).toMatchObject({ type: "PLAN_CANCELLED" });
    expect(won.filter(({ __typename }) => __typename === "CancelPlanSuccess")).toHaveLength(1);
  });

  it("of two clients on two plans in opposite orders never end in an unexpected error", async () => {
    const [a, b] = [await createPlan(app), await createPlan(app)];
    const onOne = (planId: string, round: number): Promise<Outcome>[] => [
      run(app, "setTags", { planId, tags: [`round ${round}`] }),
      run(app, "createPlan", {
        actionName: "review",
        projectLinks: [{ projectName: "shop" }],
        parentPlanId: planId,
      }),
      run(app, "addInvariant", { planId, invariant: { text: `Rule ${round}.` } }),
      run(app, "startPhase", { planId, idempotencyKey: `start ${planId} ${round}` }),
      run(app, "failPhase", { planId, message: "No disk." }),
      run(app, "retryPhase", { planId, expectedVersion: 5 }),
    ];
    const client = async (ids: readonly string[]) => {
      const outcomes: Outcome[] = [];
      for (let round = 0; round < 6; round += 1) {
        outcomes.push(...(await Promise.all(ids.flatMap((id) => onOne(id, round)))));
      }
      return outcomes;
    };
    const outcomes = (await Promise.all([client([a.id, b.id]), client([b.id, a.id])])).flat();
    const expected = new Set([undefined, "TRANSITION_REJECTED", "VERSION_CONFLICT"]);
    expect(outcomes.filter(({ code }) => !expected.has(code))).toEqual([]);

    const events = await Promise.all([a, b].map(({ id }) => historyOf(app, id)));
    for (const history of events) {
      expect(history.map(({ planVersion }) => planVersion)).toEqual(history.map((_, index) => index + 1));
    }
    const { children } = await readPlan<{ children: { totalCount: number } }>(
      app,
      a.id,
      "children { totalCount }",
    );
    expect(children.totalCount).toBe(12);
  });

  it("number the log without a gap, in the order in which they answer", async () => {
    const { asOf } = await app.ask<{ asOf: string }>("{ asOf }");
    const outcomes = await atOnce(40, () =>
      succeed(app, "createPlan", {
        actionName: "review",
        projectLinks: [{ projectName: "shop" }],
      }),
    );
    const { planEvents } = await app.ask<{
      planEvents: { edges: { node: { seq: string; planId: string; at: string } }[] };
    }>(
      "query($after: EventCursor) { planEvents(after: $after, first: 100) { edges { node { seq planId at } } } }",
      { after: asOf },
    );
    const events = planEvents.edges.map(({ node }) => node);
    expect(events.map(({ planId }) => planId).sort()).toEqual(outcomes.map(({ plan }) => plan.id).sort());
    const first = BigInt(events[0]?.seq ?? 0);
    expect(events.map(({ seq }) => BigInt(seq))).toEqual(events.map((_, index) => first + BigInt(index)));
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort());
  });
});

function atOnce<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

function sorted(outcomes: readonly Outcome[]) {
  return {
    won: outcomes.filter(({ cursor }) => cursor !== undefined),
    rejected: outcomes.filter(({ code }) => code === "TRANSITION_REJECTED"),
  };
}
