import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, succeed } from "../support/plans.js";

/** Everything of a plan, with everything around it. */
const EVERYTHING = `
  fragment Flat on Plan {
    id name cliDict cliJson arguments argumentsOrder tags projectNames projectLinks { alias } phases { status }
    invariants { text } effectiveInvariants { invariant { text } shadows { text } }
    availableActions { command blockers { code } }
    events(first: 5) { totalCount asOf edges { cursor node { type data from { phase } to { phase } } } }
    parent { name root { name } } root { name events(last: 1) { edges { node { seq } } } }
  }
  fragment Nested on Plan {
    ...Flat
    children(first: 50) { totalCount asOf pageInfo { endCursor hasNextPage } edges { node {
      ...Flat
      children(first: 50, orderBy: [{ field: NAME, direction: ASC }]) { edges { node {
        ...Flat
        children(first: 5, filter: { states: [QUEUED] }) { totalCount edges { node { ...Flat } } }
      } } }
    } } }
  }`;
interface Ends {
  readonly pageInfo: { readonly endCursor: string };
}

const LIST = "($filter: PlanFilter, $first: Int)";
const OPERATIONS = {
  "a page of plans": `query${LIST} { plans(filter: $filter, first: $first) { totalCount edges { node { ...Nested } } } }`,
  "the counts of plans":
    "query($filter: PlanFilter) { planCounts(filter: $filter) { total byPhaseAndState { count } asOf } }",
  "a page of events":
    "query($first: Int) { planEvents(first: $first) { totalCount edges { cursor node { data } } } }",
  "a page of plans beside another": `query${LIST} {
    one: plans(filter: $filter, first: $first) { edges { node { ...Nested } } }
    other: plans(filter: $filter, last: $first) { edges { node { ...Nested } } }
  }`,
  "a plan": "query($id: ULID!) { plan(id: $id) { ...Nested } }",
  "a plan that is not there": 'query { plan(id: "01ARZ3NDEKTSV4RRFFQ69G5FAV") { ...Nested } }',
};

describe.each(appHomes)("the statements of a query ($name)", ({ start }) => {
  const statements: string[] = [];
  let app: TestApp;
  let small: string;
  let large: string;

  async function cost(query: string, variables: object): Promise<number> {
    const before = statements.length;
    await app.ask(query.includes("...Nested") ? `${query} ${EVERYTHING}` : query, variables);
    return statements.length - before;
  }

  /** A tree with `width` children, as many grandchildren of the first child, and one further child below each. */
  async function createTree(width: number): Promise<string> {
    const facts = {
      actionName: `tree-${width}`,
      arguments: { a: 1 },
      tags: ["a", "b"],
      invariants: [{ text: "same" }, { text: "same", scope: "GLOBAL", nonOverridable: true }],
      projectLinks: Array.from({ length: width }, (_, index) => ({ projectName: `p${index}` })),
    };
    const { id } = await createPlan(app, facts);
    let parentPlanId = id;
    for (let level = 0; level < 3; level += 1) {
      const children = [];
      for (let index = 0; index < (level === 2 ? 1 : width); index += 1)
        children.push(await createPlan(app, { ...facts, parentPlanId }));
      parentPlanId = children[0]?.id ?? id;
    }
    for (let count = 0; count < width; count += 1)
      await succeed(app, "setTags", { planId: id, tags: [`t${count}`] });
    return id;
  }

  beforeAll(async () => {
    app = await start({
      environment: { PHASELINE_MAX_COST: "1000000000", PHASELINE_MAX_ITEMS: "1000000000" },
      observer: {
        onStatement: (text) => {
          // What the server forgets in the background, once a minute, belongs to no query.
          if (!text.startsWith("DELETE FROM idempotency_key")) statements.push(text);
        },
      },
    });
    small = await createTree(1);
    large = await createTree(25);
  });
  afterAll(() => app.close());

  it.each(Object.entries(OPERATIONS))("are as many for %s however much there is", async (name, query) => {
    const little = { filter: { actionNames: ["tree-1"] }, first: 1, id: small };
    const much = { filter: { actionNames: ["tree-25"] }, first: 50, id: large };
    const fits = ([variable]: [string, unknown]) => query.includes(`$${variable}:`);
    const pick = (variables: object) => Object.fromEntries(Object.entries(variables).filter(fits));
    const roots = name === "a page of plans beside another" ? 2 : 1;
    for (const variables of [pick(little), pick(much)]) {
      // The plans that are not in memory come with one more statement, all together.
      expect(await cost(query, variables)).toBeLessThanOrEqual(2 * roots);
      expect(await cost(query, variables)).toBe(roots);
    }
  });

  it("are as many for the payload of a mutation however much hangs on its plan", async () => {
    const query = (selection: string) =>
      `mutation($input: SetTagsInput!) { setTags(input: $input) { ... on CommandSuccess { plan { ${selection} } } } }`;
    const bare = await cost(query("id tags cliJson"), { input: { planId: small, tags: ["x"] } });
    const little = await cost(query("...Nested"), { input: { planId: small, tags: ["y"] } });
    const much = await cost(query("...Nested"), { input: { planId: large, tags: ["y"] } });
    expect({ bare, little, much }).toMatchInlineSnapshot(`
      {
        "bare": 3,
        "little": 4,
        "much": 4,
      }
    `);
  });

  it("are as many for the payload of a dry run", async () => {
    const query = `mutation($input: CreatePlanInput!) {
      createPlan(input: $input) { ... on CommandSuccess { plan { ...Nested } } } }`;
    const input = { actionName: "dry", projectLinks: [{ projectName: "p" }], dryRun: true };
    const little = await cost(query, { input: { ...input, parentPlanId: small } });
    const much = await cost(query, { input: { ...input, parentPlanId: large } });
    const root = await cost(query, { input });
    expect({ little, much, root }).toMatchInlineSnapshot(`
      {
        "little": 3,
        "much": 3,
        "root": 2,
      }
    `);
  });

  it("are one for the plan of each item of a feed, however much hangs on it", async () => {
    const after = await app.ask<{ asOf: string }>("{ asOf }");
    await succeed(app, "setTags", { planId: small, tags: ["feed"] });
    await succeed(app, "setTags", { planId: large, tags: ["feed"] });
    const before = statements.length;
    const feed = await app.events(
      `subscription($after: EventCursor) { planEvents(after: $after) { ... on PlanEventItem { plan { ...Nested } } } } ${EVERYTHING}`,
      { after: after.asOf },
    );
    await feed.next();
    await feed.next();
    feed.drop();
    const reads = statements.slice(before).filter((text) => text.includes("FROM plan p0"));
    expect(reads).toHaveLength(2);
  });

  it("count the whole list only where its total is asked for", async () => {
    const counting = async (query: string) => {
      const before = statements.length;
      await app.ask(query, { id: large });
      return (
        statements
          .slice(before)
          .join("\n")
          .match(/'total', \(/g)?.length ?? 0
      );
    };
    const page = "edges { cursor } pageInfo { hasNextPage hasPreviousPage } asOf";
    expect(await counting(`{ plans { ${page} } }`)).toBe(0);
    expect(await counting(`{ plans { ${page} totalCount } }`)).toBe(1);
    expect(
      await counting(
        "{ plans { ...Total @include(if: false) asOf } } fragment Total on PlanConnection { totalCount }",
      ),
    ).toBe(0);
    expect(
      await counting("{ plans { ...Total } } fragment Total on PlanConnection { all: totalCount }"),
    ).toBe(1);
    expect(await counting(`{ planEvents { ${page} } }`)).toBe(0);
    expect(await counting(`{ planEvents { totalCount } }`)).toBe(1);
    const nested = (children: string, events: string) =>
      `query($id: ULID!) { plan(id: $id) { children { ${children} } events { ${events} } } }`;
    expect(await counting(nested(page, page))).toBe(0);
    expect(await counting(nested("totalCount", page))).toBe(1);
    expect(await counting(nested("totalCount", "totalCount"))).toBe(2);
  });

  it("look behind a page only where it is asked for, and by conditions that an index can answer", async () => {
    const { plans, plan } = await app.ask<Record<"plans" | "plan", { children?: Ends } & Ends>>(
      "query($id: ULID!) { plans(first: 1) { pageInfo { endCursor } } plan(id: $id) { children(first: 1) { pageInfo { endCursor } } } }",
      { id: large },
    );
    const asking = async (direction: "after" | "before", pageInfo: string) => {
      const before = statements.length;
      await app.ask(
        `query($id: ULID!, $root: String, $child: String) {
          plans(${direction}: $root) { pageInfo { ${pageInfo} } }
          plan(id: $id) { children(${direction}: $child) { pageInfo { ${pageInfo} } } }
        }`,
        { id: large, root: plans.pageInfo.endCursor, child: plan.children?.pageInfo.endCursor },
      );
      const text = statements.slice(before).join("\n");
      expect(text).not.toContain("NOT (");
      return text.match(/\) behind\b/g)?.length ?? 0;
    };
    expect(await asking("after", "hasNextPage endCursor")).toBe(0);
    expect(await asking("after", "hasPreviousPage")).toBe(2);
    expect(await asking("before", "hasPreviousPage endCursor")).toBe(0);
    expect(await asking("before", "hasNextPage")).toBe(2);
  });

  it("ask nothing around the plans of an empty page", async () => {
    const before = statements.length;
    await app.ask("{ plans(first: 0) { totalCount edges { node { children { edges { node { id } } } } } } }");
    expect(statements.slice(before).join("\n")).not.toContain("p1");
  });

  it("are none where an argument is refused", async () => {
    const before = statements.length;
    const malformed = [
      "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
      "01ARZ3NDEKTSV4RRFFQ69G5FAI",
      "01ARZ3NDEKTSV4RRFFQ69G5FAL",
      "01ARZ3NDEKTSV4RRFFQ69G5FAO",
      "01ARZ3NDEKTSV4RRFFQ69G5FAU",
      "01ARZ3NDEKTSV4RRFFQ69G5FA",
      "01ARZ3NDEKTSV4RRFFQ69G5FAVA",
      "",
      " 01ARZ3NDEKTSV4RRFFQ69G5FAV",
      "01arz3ndektsv4rrffq69g5fa\u0130",
      5,
      null,
      ["01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    ];
    for (const id of malformed) {
      const { body } = await app.send("query($id: ULID!) { plan(id: $id) { id } }", { id });
      expect(
        body.errors?.map(({ extensions }) => extensions.code),
        String(id),
      ).toEqual(["BAD_USER_INPUT"]);
    }
    for (const filter of [{ ids: ["x"] }, { rootPlanId: "x" }, { and: [{ not: { parentPlanId: "x" } }] }]) {
      const { body } = await app.send(
        "query($filter: PlanFilter) { plans(filter: $filter) { totalCount } planCounts(filter: $filter) { total } }",
        { filter },
      );
      expect(body.errors?.map(({ extensions }) => extensions.code)).toContain("BAD_USER_INPUT");
    }
    await app.send('{ planEvents(filter: { planIds: ["x"] }) { totalCount } }');
    const refused = await app.ask<{ startPhase: object }>(
      'mutation { startPhase(input: { planId: "x" }) { __typename ... on InvalidInput { issues { path code } } } }',
    );
    expect(refused.startPhase).toEqual({
      __typename: "InvalidInput",
      issues: [{ path: "planId", code: "MALFORMED" }],
    });
    expect(statements.slice(before)).toEqual([]);
  });

  it("find a plan whose id is given in lower case", async () => {
    const lower = small.toLowerCase();
    const query = `query($id: ULID!) {
      plan(id: $id) { id } byIds: plans(filter: { ids: [$id] }) { edges { node { id } } }
      tree: plans(filter: { rootPlanId: $id }) { totalCount } children: plans(filter: { parentPlanId: $id }) { totalCount }
      planEvents(filter: { planIds: [$id] }, first: 1) { edges { node { planId } } }
    }`;
    expect(await app.ask(query, { id: lower })).toEqual({
      plan: { id: small },
      byIds: { edges: [{ node: { id: small } }] },
      tree: { totalCount: 4 },
      children: { totalCount: 1 },
      planEvents: { edges: [{ node: { planId: small } }] },
    });
    expect((await succeed(app, "setTags", { planId: lower, tags: [] })).plan.id).toBe(small);
    expect((await createPlan(app, { parentPlanId: lower, name: "found" })).name).toBe("local/found");
  });
});
