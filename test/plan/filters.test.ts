import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AUTOMATION_LEVELS, PLAN_PHASES, PLAN_STATES } from "../../src/plan/plan.js";
import type { PlanFilter } from "../../src/plan/reading.js";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlanAt, succeed } from "../support/plans.js";

interface Facts {
  readonly id: string;
  readonly name: string;
  readonly actionName: string;
  readonly phase: string;
  readonly state: string;
  readonly automationLevel: string;
  readonly projectNames: readonly string[];
  readonly strategyActor: string | null;
  readonly executionActor: string | null;
  readonly estimationActor: string | null;
  readonly invariantActor: string | null;
  readonly tags: readonly string[];
  readonly parentPlanId: string | null;
  readonly rootPlanId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
}

const FIELDS = `id name actionName phase state automationLevel projectNames strategyActor executionActor estimationActor
  invariantActor tags parentPlanId rootPlanId createdAt updatedAt archivedAt`;

/** Tags that a careless text of a list would break at. */
const AWKWARD_TAGS = ['say "hi"', "back\\slash", "{a,b}", "a,b", "NULL", "null", " x ", "%", "😀", "ab"];

/** What the filter means, in JavaScript; names, ids and times are given as they are stored. */
function means(filter: PlanFilter, plan: Facts): boolean {
  const among = (asked: readonly string[] | null | undefined, ...has: (string | null)[]) =>
    asked == null || has.some((value) => value !== null && asked.includes(value));
  const { tags, nameContains, hasParent, createdAfter, createdBefore, updatedAfter, updatedBefore } = filter;
  return (
    among(filter.ids, plan.id) &&
    (filter.rootPlanId == null || filter.rootPlanId === plan.rootPlanId) &&
    (filter.parentPlanId == null || filter.parentPlanId === plan.parentPlanId) &&
    (hasParent == null || hasParent === (plan.parentPlanId !== null)) &&
    among(filter.phases, plan.phase) &&
    among(filter.states, plan.state) &&
    among(filter.actionNames, plan.actionName) &&
    among(filter.projectNames, ...plan.projectNames) &&
    among(
      filter.actors,
      plan.strategyActor,
      plan.executionActor,
      plan.estimationActor,
      plan.invariantActor,
    ) &&
    among(filter.automationLevels, plan.automationLevel) &&
    among(tags?.any, ...plan.tags) &&
    (tags?.all ?? []).every((tag) => plan.tags.includes(tag)) &&
    (nameContains == null || plan.name.includes(nameContains.toLowerCase())) &&
    (createdAfter == null || plan.createdAt > createdAfter) &&
    (createdBefore == null || plan.createdAt < createdBefore) &&
    (updatedAfter == null || plan.updatedAt > updatedAfter) &&
    (updatedBefore == null || plan.updatedAt < updatedBefore) &&
    (filter.and ?? []).every((one) => means(one, plan)) &&
    (filter.or == null || filter.or.some((one) => means(one, plan))) &&
    (filter.not == null || !means(filter.not, plan))
  );
}

/** A generator of the same numbers in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

describe.each(appHomes)("a filter of plans ($name)", ({ start }) => {
  let app: TestApp;
  let plans: readonly Facts[];

  beforeAll(async () => {
    app = await start();
    const roll = dice(7);
    const pick = <Value>(values: readonly Value[]): Value | undefined => values[roll(values.length)];
    const actor = () => pick(["ada", "bob", "hub.example:team/ada", null]);
    const ids: string[] = [];
    for (let index = 0; index < 28; index += 1) {
      const phase = PLAN_PHASES[index % 4] ?? "STRATEGIZE";
      const state = phase === "APPLIED" ? "COMPLETE" : (pick(PLAN_STATES) ?? "QUEUED");
      const { id } = await createPlanAt(app, phase, state, {
        name: pick(["alpha", "team/alpha", "al_ha", "al-ha", "hub.example:team/beta", null]),
        actionName: pick(["review", "team/review", "hub.example:team/review"]),
        projectLinks: [
          { projectName: pick(["web", "api"]) },
          { projectName: pick(["db", "team/web", "hub.x:local/web"]) },
        ],
        strategyActor: actor(),
        executionActor: actor(),
        estimationActor: actor(),
        invariantActor: actor(),
        tags: [...new Set([pick(AWKWARD_TAGS), pick(AWKWARD_TAGS)])].slice(roll(3)),
        parentPlanId: roll(3) === 0 ? null : pick(ids),
      });
      ids.push(id);
      if (state === "CANCELLED" || phase === "APPLIED") {
        if (roll(2) === 0) await succeed(app, "archivePlan", { planId: id });
      }
    }
    // Levels other than MANUAL move by themselves, which the positions above do not allow for.
    for (const automationLevel of AUTOMATION_LEVELS)
      ids.push((await createPlanAt(app, "STRATEGIZE", "QUEUED", { automationLevel })).id);
    const answer = await app.ask<{ plans: { edges: { node: Facts }[] } }>(
      `{ plans(filter: { includeArchived: true }, first: 100) { edges { node { ${FIELDS} } } } }`,
    );
    plans = answer.plans.edges.map(({ node }) => node);
    expect(plans).toHaveLength(ids.length);
  });
  afterAll(() => app.close());

  /** The ids that the server answers, newest first, after its total and its counts were held against them. */
  async function found(filter: object | null): Promise<string[]> {
    const { page, counts } = await app.ask<{
      page: { totalCount: number; edges: { node: Facts }[] };
      counts: {
        total: number;
        byPhase: { phase: string; count: number }[];
        byState: { state: string; count: number }[];
        byPhaseAndState: { phase: string; state: string; count: number }[];
      };
    }>(
      `query($filter: PlanFilter) {
        page: plans(filter: $filter, first: 100) { totalCount edges { node { id phase state } } }
        counts: planCounts(filter: $filter) {
          total byPhase { phase count } byState { state count } byPhaseAndState { phase state count }
        }
      }`,
      { filter },
    );
    const nodes = page.edges.map(({ node }) => node);
    const having = (facts: Partial<Facts>) =>
      nodes.filter((node) => Object.entries(facts).every(([key, value]) => Reflect.get(node, key) === value))
        .length;
    expect(page.totalCount).toBe(nodes.length);
    expect(counts).toEqual({
      total: nodes.length,
      byPhase: PLAN_PHASES.map((phase) => ({ phase, count: having({ phase }) })),
      byState: PLAN_STATES.map((state) => ({ state, count: having({ state }) })),
      byPhaseAndState: PLAN_PHASES.flatMap((phase) => PLAN_STATES.map((state) => ({ phase, state })))
        .map((position) => ({ ...position, count: having(position) }))
        .filter(({ count }) => count > 0),
    });
    return nodes.map(({ id }) => id);
  }

  /** What it means, with archived plans only where the outermost filter says so. */
  function expected(filter: PlanFilter): string[] {
    return plans
      .filter((plan) => (filter.includeArchived === true || plan.archivedAt === null) && means(filter, plan))
      .map(({ id }) => id);
  }

  /** A few values for each condition: some that match, some that don't, and the borders between. */
  function conditions(): Readonly<Record<string, readonly unknown[]>> {
    const some = (index: number) => plans[index % plans.length];
    const times = [some(3), some(20)].flatMap((plan) => [plan?.createdAt, plan?.updatedAt]);
    const tagLists = [...AWKWARD_TAGS.map((tag) => [tag]), [], ["none"], ["%", "a,b", "😀"]];
    return {
      ids: [[], [some(1)?.id, some(2)?.id], ["01ARZ3NDEKTSV4RRFFQ69G5FAV"]],
      rootPlanId: plans.slice(-3).map(({ rootPlanId }) => rootPlanId),
      parentPlanId: plans
        .map(({ parentPlanId }) => parentPlanId)
        .filter((id) => id !== null)
        .slice(0, 3),
      hasParent: [true, false],
      phases: [...PLAN_PHASES.map((phase) => [phase]), [], ["EXECUTE", "APPLIED"]],
      states: [...PLAN_STATES.map((state) => [state]), ["QUEUED", "CANCELLED"]],
      actionNames: [["local/review"], ["team/review", "hub.example:team/review"], ["local/none"]],
      projectNames: [["local/web"], ["team/web", "hub.x:local/web"], []],
      actors: [["local/ada"], ["hub.example:team/ada", "local/bob"], ["local/eve"]],
      automationLevels: [["FULL_AUTOMATION"], ["MANUAL", "REVIEW_BEFORE_APPLY"]],
      tags: [
        ...tagLists.flatMap((tags): PlanFilter["tags"][] => [{ any: tags }, { all: tags }]),
        { any: ["%", "ab"], all: ["%"] },
      ],
      nameContains: ["ALPHA", "l_h", "%", "_", "-", "/", "HUB.example:", "", "review-", "\\"],
      createdAfter: times,
      createdBefore: times,
      updatedAfter: times,
      updatedBefore: times,
      includeArchived: [true, false],
    };
  }

  it("answers by every condition alone, and by its opposite", async () => {
    for (const [condition, values] of Object.entries(conditions())) {
      for (const value of values) {
        const filter: PlanFilter = { [condition]: value };
        expect(await found(filter), JSON.stringify(filter)).toEqual(expected(filter));
      }
      const opposite: PlanFilter = { includeArchived: true, not: { [condition]: values[0] } };
      expect(await found(opposite), JSON.stringify(opposite)).toEqual(expected(opposite));
    }
  });

  it("answers by any of them together, nested in and, or and not", async () => {
    const roll = dice(11);
    const known = Object.entries(conditions());
    const random = (depth: number): PlanFilter => {
      const parts = Array.from({ length: 1 + roll(2) }, () => {
        const [name = "", values = []] = known[roll(known.length)] ?? [];
        return [name, values[roll(values.length)]];
      });
      const filter: PlanFilter = Object.fromEntries(parts);
      if (depth === 0) return filter;
      switch (roll(4)) {
        case 0:
          return { or: [random(depth - 1), random(depth - 1)] };
        case 1:
          return { ...filter, not: random(depth - 1) };
        case 2:
          return { and: [random(depth - 1), { or: [filter, random(depth - 1)] }] };
        default:
          return { not: { or: [random(depth - 1), { not: random(depth - 1) }] } };
      }
    };
    let answered = 0;
    for (let round = 0; round < 40; round += 1) {
      const filter = { ...random(2), includeArchived: roll(3) > 0 };
      const ids = expected(filter);
      expect(await found(filter), JSON.stringify(filter)).toEqual(ids);
      if (ids.length > 0 && ids.length < plans.length) answered += 1;
    }
    // The comparison is worth something only while most filters divide the plans.
    expect(answered).toBeGreaterThan(15);
  });

  it("takes null for not given, and an empty filter for none", async () => {
    const names = Object.keys(conditions());
    const nulls = Object.fromEntries([...names, "and", "or", "not"].map((name) => [name, null]));
    for (const filter of [
      null,
      {},
      nulls,
      { tags: { any: null, all: null } },
      { and: [] },
      { not: null, and: [{}] },
    ])
      expect(await found(filter), JSON.stringify(filter)).toEqual(expected({}));
    expect(await found({ or: [] })).toEqual([]);
    expect(await found({ not: {} })).toEqual([]);
    expect(await found({ not: { not: {} } })).toEqual(expected({}));
  });

  it("reads names, ids and times in every form in which they may be written", async () => {
    const [plan] = plans.filter(
      ({ archivedAt, parentPlanId }) => archivedAt === null && parentPlanId !== null,
    );
    if (plan === undefined) throw new Error("No plan to look for.");
    const twoHoursEast = new Date(Date.parse(plan.createdAt) + 2 * 3_600_000)
      .toISOString()
      .replace("Z", "+02:00");
    for (const [written, stored] of [
      [{ ids: [plan.id.toLowerCase()] }, { ids: [plan.id] }],
      [{ parentPlanId: plan.parentPlanId?.toLowerCase() }, { parentPlanId: plan.parentPlanId }],
      [{ rootPlanId: plan.rootPlanId.toLowerCase() }, { rootPlanId: plan.rootPlanId }],
      [{ actionNames: ["REVIEW", "Local/Review"] }, { actionNames: ["local/review"] }],
      [{ projectNames: ["Web"] }, { projectNames: ["local/web"] }],
      [{ actors: ["HUB.example:Team/Ada"] }, { actors: ["hub.example:team/ada"] }],
      [{ not: { or: [{ actors: ["ADA"] }] } }, { not: { actors: ["local/ada"] } }],
      [{ createdAfter: twoHoursEast }, { createdAfter: plan.createdAt }],
      [{ createdBefore: twoHoursEast }, { createdBefore: plan.createdAt }],
      [{ updatedAfter: "0001-01-01T00:00:00Z", updatedBefore: "9999-12-31T23:59:59.999Z" }, {}],
    ] satisfies readonly (readonly [PlanFilter, PlanFilter])[]) {
      expect(await found(written), JSON.stringify(written)).toEqual(expected(stored));
    }
  });

  it.each([
    [{ ids: ["8ZZZZZZZZZZZZZZZZZZZZZZZZZ"] }, "ids[0]"],
    [{ and: [{}, { not: { rootPlanId: "x" } }] }, "and[1].not.rootPlanId"],
    [{ createdAfter: "0000-12-31T00:00:00Z" }, "createdAfter"],
    [{ updatedBefore: "2026-02-30T00:00:00Z" }, "updatedBefore"],
    [{ nameContains: "a\u0000" }, "nameContains"],
    [{ tags: { any: ["\ud800"] } }, "tags.any[0]"],
    [{ tags: { all: ["\u0000"] } }, "tags.all[0]"],
    [{ actors: ["\u0130"] }, "actors[0]"],
    [{ projectNames: ["a/b/c"] }, "projectNames[0]"],
  ])("is refused as a whole where it is %j", async (filter, path) => {
    const { body } = await app.send("query($filter: PlanFilter) { planCounts(filter: $filter) { total } }", {
      filter,
    });
    expect(body).toMatchObject({
      data: null,
      errors: [
        {
          path: ["planCounts"],
          extensions: { code: "BAD_USER_INPUT", issues: [{ path: `filter.${path}` }] },
        },
      ],
    });
  });

  it("hears of children by its own rules, archived ones left out unless asked for", async () => {
    const archived = plans.find(
      ({ archivedAt, parentPlanId }) => archivedAt !== null && parentPlanId !== null,
    );
    const query = `query($id: ULID!) { plan(id: $id) {
      children(first: 100) { edges { node { id } } } all: children(first: 100, filter: { includeArchived: true }) { edges { node { id } } }
      roots: children(filter: { hasParent: false }) { totalCount } other: children(filter: { parentPlanId: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }) { totalCount }
    } }`;
    interface Children {
      readonly edges: readonly { readonly node: { readonly id: string } }[];
    }
    const { plan } = await app.ask<{
      plan: { children: Children; all: Children; roots: object; other: object };
    }>(query, {
      id: archived?.parentPlanId,
    });
    const ids = ({ edges }: Children) => edges.map(({ node }) => node.id);
    const siblings = { parentPlanId: archived?.parentPlanId ?? "" };
    expect(ids(plan.children)).toEqual(expected(siblings));
    expect(ids(plan.all)).toEqual(expected({ ...siblings, includeArchived: true }));
    expect(ids(plan.all)).toContain(archived?.id);
    expect([plan.roots, plan.other]).toEqual([{ totalCount: 0 }, { totalCount: 0 }]);
  });
});
