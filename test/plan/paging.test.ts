import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PLAN_PHASES, PLAN_STATES } from "../../src/plan/plan.js";
import {
  NEWEST_FIRST,
  PLAN_ORDER_FIELDS,
  type PlanOrder,
  type PlanOrderField,
} from "../../src/plan/reading.js";
import { restartAltered } from "../support/alterations.js";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, createPlanAt, succeed } from "../support/plans.js";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly phase: string;
  readonly state: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface Page<Node> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
}

/** Every plan that is made or changed from now on has this one time. */
const ONE_TIME = "2026-03-01T12:00:00.000Z";
const STOP_THE_CLOCK = [
  `CREATE FUNCTION stop_the_clock() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN NEW.created_at = '${ONE_TIME}'; NEW.updated_at = '${ONE_TIME}'; RETURN NEW; END $$`,
  "CREATE TRIGGER stop_the_clock BEFORE INSERT OR UPDATE ON plan FOR EACH ROW EXECUTE FUNCTION stop_the_clock()",
];

const PAGE =
  "edges { cursor node { id name phase state createdAt updatedAt } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount";
const PLANS = `query($filter: PlanFilter, $orderBy: [PlanOrder!], $first: Int, $after: String, $last: Int, $before: String) {
  plans(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) { ${PAGE} } }`;

const RANKS: Partial<Record<PlanOrderField, readonly string[]>> = { PHASE: PLAN_PHASES, STATE: PLAN_STATES };
const VALUES: Record<PlanOrderField, (row: Row) => string> = {
  CREATED_AT: (row) => row.createdAt,
  UPDATED_AT: (row) => row.updatedAt,
  NAME: (row) => row.name,
  PHASE: (row) => row.phase,
  STATE: (row) => row.state,
};

/** The total order that a list is in, by another road than the database's. */
function sorted(rows: readonly Row[], orderBy: readonly PlanOrder[]): Row[] {
  return [...rows].sort((left, right) => {
    for (const { field, direction } of orderBy) {
      const place = (row: Row) => RANKS[field]?.indexOf(VALUES[field](row)) ?? VALUES[field](row);
      const [a, b] = [place(left), place(right)];
      if (a !== b) return a < b === (direction === "ASC") ? -1 : 1;
    }
    return left.id < right.id === (orderBy[0]?.direction === "ASC") ? -1 : 1;
  });
}

const ORDERS: readonly (readonly PlanOrder[])[] = [
  ...PLAN_ORDER_FIELDS.flatMap((field) => [
    [{ field, direction: "ASC" as const }],
    [{ field, direction: "DESC" as const }],
  ]),
  [
    { field: "STATE", direction: "DESC" },
    { field: "NAME", direction: "ASC" },
  ],
  [
    { field: "PHASE", direction: "ASC" },
    { field: "CREATED_AT", direction: "DESC" },
    { field: "NAME", direction: "DESC" },
  ],
];
const described = (orderBy: readonly PlanOrder[]) =>
  orderBy.map(({ field, direction }) => `${field} ${direction}`).join(", ");

describe.each(appHomes)("paging through plans ($name)", ({ start }) => {
  let app: TestApp;
  let walks = 0;

  const page = async (variables: object) => (await app.ask<{ plans: Page<Row> }>(PLANS, variables)).plans;

  beforeAll(async () => {
    app = await restartAltered(await start(), STOP_THE_CLOCK);
    for (const name of ["b", "a-b", "a", "b", "a_b", "a0", "b"])
      await createPlan(app, { name, actionName: "base" });
    await createPlanAt(app, "STRATEGIZE", "PROCESSING", { name: "a", actionName: "base" });
    await createPlanAt(app, "STRATEGIZE", "ERRORED", { name: "b", actionName: "base" });
    await createPlanAt(app, "EXECUTE", "QUEUED", { name: "c", actionName: "base" });
    await createPlanAt(app, "EXECUTE", "CANCELLED", { name: "a", actionName: "base" });
    await createPlanAt(app, "APPLIED", "COMPLETE", { name: "b", actionName: "base" });
  });
  afterAll(() => app.close());

  it.each(ORDERS.map((orderBy) => [described(orderBy), orderBy] as const))(
    "by %s shows each row once in both directions, while others are inserted",
    async (_, orderBy) => {
      for (const backward of [false, true]) {
        walks += 1;
        const own = `walk-${walks}`;
        const filter = { actionNames: ["base", own] };
        let all = (await page({ filter, first: 100 })).edges.map(({ node }) => node);
        const towards = (rows: Row[]) => (backward ? sorted(rows, orderBy).reverse() : sorted(rows, orderBy));
        const seen: string[] = [];
        let cursor: string | null = null;
        let reached: Row | undefined;
        for (let more = true, step = 0; more; step += 1) {
          const answer: Page<Row> = await page(
            backward
              ? { filter, orderBy, last: 3, before: cursor }
              : { filter, orderBy, first: 3, after: cursor },
          );
          const order = towards(all);
          const place = reached === undefined ? 0 : order.findIndex(({ id }) => id === reached?.id) + 1;
          const expected = order.slice(place, place + 3).map(({ id }) => id);
          const shown = answer.edges.map(({ node }) => node.id);
          expect(backward ? shown.toReversed() : shown).toEqual(expected);
          const { hasNextPage, hasPreviousPage, startCursor, endCursor } = answer.pageInfo;
          more = place + 3 < order.length;
          expect([hasNextPage, hasPreviousPage]).toEqual(backward ? [place > 0, more] : [more, place > 0]);
          expect([startCursor, endCursor]).toEqual([answer.edges[0]?.cursor, answer.edges.at(-1)?.cursor]);
          expect(answer.totalCount).toBe(all.length);
          seen.push(...shown);
          cursor = backward ? startCursor : endCursor;
          reached = (backward ? answer.edges[0] : answer.edges.at(-1))?.node;
          if (step < 2) {
            const before = new Set(all.map(({ id }) => id));
            await createPlan(app, { name: step === 0 ? "a" : "b", actionName: own });
            all = (await page({ filter, first: 100 })).edges.map(({ node }) => node);
            expect(all.filter(({ id }) => !before.has(id))).toHaveLength(1);
          }
        }
        expect(new Set(seen).size).toBe(seen.length);
      }
    },
  );

  it("goes on from its place when the row under the cursor has left the filter", async () => {
    const made = [];
    for (let index = 0; index < 5; index += 1)
      made.push(await createPlan(app, { name: "leaver", actionName: "leaving" }));
    const ids = made.map(({ id }) => id);
    const filter = { actionNames: ["leaving"], states: ["QUEUED"] };
    const orderBy = [{ field: "NAME", direction: "ASC" }];
    const first = await page({ filter, orderBy, first: 2 });
    const last = await page({ filter, orderBy, last: 2 });
    await succeed(app, "startPhase", { planId: ids[1] });
    await succeed(app, "startPhase", { planId: ids[3] });
    const next = await page({ filter, orderBy, first: 2, after: first.pageInfo.endCursor });
    expect(next.edges.map(({ node }) => node.id)).toEqual([ids[2], ids[4]]);
    expect(next.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(next.totalCount).toBe(3);
    const previous = await page({ filter, orderBy, last: 2, before: last.pageInfo.startCursor });
    expect(previous.edges.map(({ node }) => node.id)).toEqual([ids[0], ids[2]]);
    expect(previous.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    await succeed(app, "startPhase", { planId: ids[0] });
    const all = await page({ filter, orderBy, first: 9, after: first.pageInfo.endCursor });
    expect(all.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  it("of no rows says whether there are any", async () => {
    const filter = { actionNames: ["base"] };
    const nothing = { edges: [], totalCount: 12 };
    expect(await page({ filter, first: 0 })).toEqual({
      ...nothing,
      pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
    expect((await page({ filter, last: 0 })).pageInfo).toMatchObject({
      hasNextPage: false,
      hasPreviousPage: true,
    });
    const [edge] = (await page({ filter, last: 1 })).edges;
    expect((await page({ filter, first: 0, after: edge?.cursor })).pageInfo).toMatchObject({
      hasNextPage: false,
      hasPreviousPage: true,
    });
    expect((await page({ filter: { actionNames: ["none"] }, first: 0 })).pageInfo).toMatchObject({
      hasNextPage: false,
      hasPreviousPage: false,
    });
  });

  it("is newest first and twenty at a time unless told otherwise", async () => {
    for (let index = 0; index < 21; index += 1) await createPlan(app, { actionName: "many" });
    const filter = { actionNames: ["many"] };
    const unasked = await page({ filter });
    expect(unasked.edges).toHaveLength(20);
    expect(unasked).toEqual(await page({ filter, first: 20, orderBy: NEWEST_FIRST }));
    expect((await page({ filter, orderBy: [], after: unasked.pageInfo.endCursor })).edges).toHaveLength(1);
    expect((await page({ filter, before: unasked.pageInfo.endCursor })).edges).toHaveLength(19);
  });

  it.each([
    ["first: 101", "first"],
    ["last: 101", "last"],
    ["first: 2147483647", "first"],
    ["first: -1", "first"],
    ["first: 1, last: 1", "last"],
    ['first: 1, before: "x"', "before"],
    ['after: "x"', "after"],
    ['after: ""', "after"],
    ['last: 1, before: "\\u0000"', "before"],
    ["orderBy: [{ field: NAME, direction: ASC }, { field: NAME, direction: DESC }]", "orderBy[1]"],
    ['filter: { ids: ["x"] }', "filter.ids[0]"],
  ])("is refused with %s, nested too, where the rest still answers", async (args, path) => {
    const { id } = await createPlan(app, { actionName: "refused" });
    const { body } = await app.send(
      `query($id: ULID!) { asOf plan(id: $id) { name children(${args}) { totalCount } } other: plan(id: $id) { id } }`,
      { id },
    );
    expect(body.data).toMatchObject({ asOf: expect.any(String), plan: null, other: { id } });
    expect(body.errors).toMatchObject([
      { path: ["plan", "children"], extensions: { code: "BAD_USER_INPUT", issues: [{ path }] } },
    ]);
    const top = await app.send(`{ plans(${args}) { totalCount } }`);
    expect(top.body).toMatchObject({
      data: null,
      errors: [{ path: ["plans"], extensions: { code: "BAD_USER_INPUT", issues: [{ path }] } }],
    });
  });

  it("refuses a cursor of another order or list, and what is none at all", async () => {
    const orderBy = [{ field: "NAME", direction: "ASC" }];
    const named = (await page({ orderBy, first: 1 })).pageInfo.endCursor ?? "";
    const { planEvents } = await app.ask<{ planEvents: Page<object> }>(
      "{ planEvents(first: 1) { edges { cursor } } }",
    );
    const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
    const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const cursors = [
      named,
      planEvents.edges[0]?.cursor,
      "x",
      named.slice(0, -3),
      forged("CREATED_AT DESC", ONE_TIME),
      forged("CREATED_AT DESC", ONE_TIME, "8".repeat(26)),
      forged("CREATED_AT DESC", ONE_TIME, id.toLowerCase()),
      forged("CREATED_AT DESC", "yesterday", id),
      forged("CREATED_AT DESC", "0000-01-01T00:00:00.000Z", id),
      forged("CREATED_AT DESC", "2026-01-01T00:00:00+23:59", id),
      forged("CREATED_AT DESC", 5, id),
      forged("CREATED_AT DESC", ONE_TIME, id, id),
      Buffer.from("null").toString("base64url"),
      "A".repeat(2_000),
    ];
    for (const after of cursors) {
      const { body } = await app.send(PLANS, { after });
      expect(
        body.errors?.map(({ extensions }) => extensions.code),
        String(after),
      ).toEqual(["BAD_USER_INPUT"]);
    }
    for (const value of ["\u0000", "\ud800"]) {
      const { body } = await app.send(PLANS, { orderBy, after: forged("NAME ASC", value, id) });
      expect(body.errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
    }
    for (const [field, value] of [
      ["PHASE", "STATE"],
      ["STATE", "APPLIED"],
    ] as const) {
      const { body } = await app.send(PLANS, {
        orderBy: [{ field, direction: "ASC" }],
        after: forged(`${field} ASC`, value, id),
      });
      expect(body.errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
    }
  });

  it("goes through the children of a plan as through all plans", async () => {
    const { id } = await createPlan(app, { actionName: "parent" });
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1)
      ids.push((await createPlan(app, { actionName: "child", parentPlanId: id, name: `c${index % 2}` })).id);
    const query = `query($id: ULID!, $after: String, $before: String, $first: Int, $last: Int) {
      plan(id: $id) { children(orderBy: [{ field: NAME, direction: DESC }], first: $first, last: $last, after: $after, before: $before) { ${PAGE} } } }`;
    const children = async (window: object) =>
      (await app.ask<{ plan: { children: Page<Row> } }>(query, { id, ...window })).plan.children;
    const expected = [ids[3], ids[1], ids[4], ids[2], ids[0]];
    const first = await children({ first: 2 });
    const second = await children({ first: 2, after: first.pageInfo.endCursor });
    const third = await children({ first: 2, after: second.pageInfo.endCursor });
    expect([first, second, third].flatMap(({ edges }) => edges.map(({ node }) => node.id))).toEqual(expected);
    expect(third.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const back = await children({ last: 3, before: third.pageInfo.startCursor });
    expect(back.edges.map(({ node }) => node.id)).toEqual([ids[1], ids[4], ids[2]]);
    expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
  });
});

describe.each(appHomes)("paging through events ($name)", ({ start }) => {
  let app: TestApp;
  let id: string;
  beforeAll(async () => {
    app = await start();
    ({ id } = await createPlan(app));
    for (let index = 0; index < 6; index += 1) {
      await succeed(app, "setTags", { planId: id, tags: [String(index)] });
      await createPlan(app);
    }
  });
  afterAll(() => app.close());

  const EVENTS =
    "edges { cursor node { seq cursor planVersion } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount asOf";
  const WINDOW = "$first: Int, $after: EventCursor, $last: Int, $before: EventCursor";
  const ARGS = "first: $first, after: $after, last: $last, before: $before";
  interface EventRow {
    readonly seq: string;
    readonly cursor: string;
    readonly planVersion: number;
  }
  const lists = {
    "of a plan": async (window: object) =>
      (
        await app.ask<{ plan: { events: Page<EventRow> } }>(
          `query($id: ULID!, ${WINDOW}) { plan(id: $id) { events(${ARGS}) { ${EVENTS} } } }`,
          { id, ...window },
        )
      ).plan.events,
    "of the log": async (window: object) =>
      (
        await app.ask<{ planEvents: Page<EventRow> }>(
          `query($filter: PlanEventFilter, ${WINDOW}) { planEvents(filter: $filter, ${ARGS}) { ${EVENTS} } }`,
          { filter: { planIds: [id.toLowerCase()] }, ...window },
        )
      ).planEvents,
  };

  it.each(Object.entries(lists))(
    "%s shows each event once in both directions, while others come",
    async (_, list) => {
      const before = (await list({ first: 100 })).edges.map(({ node }) => node);
      expect(before.map(({ planVersion }) => planVersion)).toEqual(before.map((_, index) => index + 1));
      const forward: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const answer: Page<EventRow> = await list({ first: 3, after });
        expect(answer.pageInfo.hasPreviousPage).toBe(after !== null);
        forward.push(...answer.edges.map(({ node }) => node.seq));
        more = answer.pageInfo.hasNextPage;
        after = answer.pageInfo.endCursor;
        if (forward.length === 3) await succeed(app, "setTags", { planId: id, tags: ["forward"] });
      }
      const all = await list({ first: 100 });
      expect(forward).toEqual(all.edges.map(({ node }) => node.seq));
      expect(forward).toHaveLength(before.length + 1);
      const backward: string[] = [];
      for (let cursor: string | null = null, more = true; more; ) {
        const answer: Page<EventRow> = await list({ last: 3, before: cursor });
        expect(answer.pageInfo.hasNextPage).toBe(cursor !== null);
        backward.unshift(...answer.edges.map(({ node }) => node.seq));
        more = answer.pageInfo.hasPreviousPage;
        cursor = answer.pageInfo.startCursor;
        if (backward.length === 3) await succeed(app, "setTags", { planId: id, tags: ["backward"] });
      }
      expect(backward).toEqual(forward);
      expect(all.edges.every(({ cursor, node }) => cursor === node.cursor)).toBe(true);
    },
  );

  it.each(Object.entries(lists))("%s pages from a cursor at which it has no event", async (_, list) => {
    const other = await createPlan(app);
    const { planEvents } = await app.ask<{ planEvents: Page<EventRow> }>(
      "query($id: ULID!) { planEvents(filter: { planIds: [$id] }) { edges { cursor } } }",
      { id: other.id },
    );
    await succeed(app, "setTags", { planId: id, tags: ["later"] });
    const after = planEvents.edges[0]?.cursor;
    const answer = await list({ first: 5, after });
    expect(answer.edges).toHaveLength(1);
    expect(answer.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
    expect((await list({ last: 2, before: after })).pageInfo).toMatchObject({
      hasPreviousPage: true,
      hasNextPage: true,
    });
  });

  it.each([
    ["first: 101", "first"],
    ["first: 1, last: 1", "last"],
    ['after: "x"', "after"],
    ['before: "LzE"', "before"],
    [`after: "${Buffer.from("another-database/1").toString("base64url")}"`, "after"],
  ])("is refused with %s, nested too, where the rest still answers", async (args, path) => {
    const { body } = await app.send(
      `query($id: ULID!) { plan(id: $id) { events(${args}) { totalCount } } asOf }`,
      { id },
    );
    expect(body).toMatchObject({
      data: { plan: null, asOf: expect.any(String) },
      errors: [{ path: ["plan", "events"], extensions: { code: "BAD_USER_INPUT", issues: [{ path }] } }],
    });
    const top = await app.send(`{ planEvents(${args}) { totalCount } }`);
    expect(top.body.errors).toMatchObject([
      { path: ["planEvents"], extensions: { code: "BAD_USER_INPUT", issues: [{ path }] } },
    ]);
  });

  it("answers the head as it was when the page was read, and moves it with every event", async () => {
    interface AsOf {
      readonly asOf: string;
    }
    interface Everything extends AsOf {
      readonly plans: AsOf;
      readonly planCounts: AsOf;
      readonly planEvents: AsOf & { readonly edges: readonly { readonly cursor: string }[] };
      readonly plan: { readonly children: AsOf; readonly events: AsOf };
    }
    const read = () =>
      app.ask<Everything>(
        `query($id: ULID!) {
          plans(first: 1) { asOf } planCounts { asOf } planEvents(last: 1) { asOf edges { cursor } }
          plan(id: $id) { children { asOf } events { asOf } } asOf
        }`,
        { id },
      );
    for (let round = 0; round < 2; round += 1) {
      const { cursor } = await succeed(app, "setTags", { planId: id, tags: [`as-of-${round}`] });
      const { plans, planCounts, planEvents, plan, asOf } = await read();
      const cursors = [
        plans.asOf,
        planCounts.asOf,
        planEvents.asOf,
        planEvents.edges[0]?.cursor,
        plan.children.asOf,
        plan.events.asOf,
        asOf,
      ];
      expect(cursors).toEqual(cursors.map(() => cursor));
    }
  });
});
