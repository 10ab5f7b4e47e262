import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FILTERS_LIMIT } from "../../src/plan/query-inputs.js";
import { NESTED_FIELDS_LIMIT, NESTED_FILTERS_LIMIT } from "../../src/plan/schema/shape.js";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, readPlan, succeed } from "../support/plans.js";

/** Response keys that JavaScript objects have already, or treat unlike others. */
const INHERITED = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

describe.each(appHomes)("a selection ($name)", ({ start }) => {
  let app: TestApp;
  let id: string;
  beforeAll(async () => {
    app = await start();
    ({ id } = await createPlan(app, { name: "parent" }));
    await createPlan(app, { name: "child", parentPlanId: id });
  });
  afterAll(() => app.close());

  it.each(INHERITED)("may call any field %s, and the next request is unaffected", async (alias) => {
    const query = `query($id: ULID!) {
      ${alias}: plan(id: $id) {
        ${alias}: children { ${alias}: edges { ${alias}: node { ${alias}: name root { ${alias}: name } } } ${INHERITED.find((other) => other !== alias)}: totalCount }
      }
    }`;
    const before = Object.getOwnPropertyNames(Object.prototype);
    const data = await app.ask<Record<string, unknown>>(query, { id });
    const at = (value: unknown, ...keys: (string | number)[]) =>
      keys.reduce((inner, key) => (inner as Record<string | number, unknown>)[key], value);
    const node = at(data, alias, alias, alias, 0, alias);
    expect(at(node, alias)).toBe("local/child");
    expect(at(node, "root", alias)).toBe("local/parent");
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    const plain = await app.ask<{ plan: unknown }>("query($id: ULID!) { plan(id: $id) { name } }", { id });
    expect(plain).toEqual({ plan: { name: "local/parent" } });
  });

  it.each(INHERITED)("may give a mutation and a field of its payload the name %s", async (alias) => {
    const query = `mutation($input: SetTagsInput!) {
      ${alias}: setTags(input: $input) { ... on CommandSuccess { ${alias}: plan { ${alias}: root { tags } } } }
    }`;
    const answer = await app.send(query, { input: { planId: id, tags: [alias] } });
    expect(JSON.parse(JSON.stringify(answer.body))).toEqual(
      JSON.parse(`{"data":{"${alias}":{"${alias}":{"${alias}":{"tags":["${alias}"]}}}}}`),
    );
  });

  it("takes one field under several names, with other arguments and without, each for itself", async () => {
    const query = `query($id: ULID!, $no: Boolean!) {
      plan(id: $id) {
        a: children(first: 1) { edges { node { name } } }
        ...More
        ... on Plan { a: children(first: 1) { pageInfo { hasNextPage } } }
        none: children(first: 0) { edges { node { name } } totalCount }
        b: children(first: 1, orderBy: [{ field: NAME, direction: ASC }]) { edges { node { parent { name } } } }
        left: children(filter: { hasParent: false }) @include(if: $no) { totalCount }
        events(first: 1) { edges { node { type } } }
        more: events(last: 1) @skip(if: $no) { edges { node { planVersion } } }
      }
    }
    fragment More on Plan { a: children(first: 1) { totalCount edges { node { ...Id events { totalCount } } } } }
    fragment Id on Plan { id }`;
    const { plan } = await app.ask<{ plan: Record<string, unknown> }>(query, { id, no: false });
    expect(plan).toMatchObject({
      a: {
        edges: [{ node: { name: "local/child", id: expect.any(String), events: { totalCount: 1 } } }],
        pageInfo: { hasNextPage: false },
        totalCount: 1,
      },
      none: { edges: [], totalCount: 1 },
      b: { edges: [{ node: { parent: { name: "local/parent" } } }] },
      events: { edges: [{ node: { type: "PLAN_CREATED" } }] },
      more: { edges: [{ node: { planVersion: expect.any(Number) } }] },
    });
    expect(plan).not.toHaveProperty("left");
  });

  it("passes over the arguments of a nested list that are null", async () => {
    const query = `query($id: ULID!, $filter: PlanFilter, $first: Int, $orderBy: [PlanOrder!], $after: String) {
      plan(id: $id) { children(filter: $filter, first: $first, orderBy: $orderBy, after: $after) { totalCount } }
    }`;
    const nulls = { id, filter: null, first: null, after: null };
    for (const variables of [{ id }, nulls, { ...nulls, orderBy: [], filter: {} }]) {
      expect(await app.ask(query, variables)).toEqual({ plan: { children: { totalCount: 1 } } });
    }
  });

  it("goes as deep as documents may, upwards and downwards", async () => {
    const upwards = `${"parent { ".repeat(20)} name ${"}".repeat(20)}`;
    expect(await app.ask(`query($id: ULID!) { plan(id: $id) { ${upwards} } }`, { id })).toEqual({
      plan: { parent: null },
    });
    const roots = `${"root { ".repeat(20)} name ${"}".repeat(20)}`;
    expect(
      JSON.stringify(await app.ask(`query($id: ULID!) { plan(id: $id) { ${roots} } }`, { id })),
    ).toContain('"name":"local/parent"');
    const downwards = `${"children(first: 1) { edges { node { ".repeat(6)} name ${"} } }".repeat(6)}`;
    expect(await app.ask(`query($id: ULID!) { plan(id: $id) { ${downwards} } }`, { id })).toEqual({
      plan: { children: { edges: [{ node: { children: { edges: [] } } }] } },
    });
  });

  it("may nest as many fields as one statement answers, and no more", async () => {
    const beside = (count: number) =>
      Array.from({ length: count }, (_, index) => `c${index}: children(first: ${index}) { totalCount }`).join(
        " ",
      );
    const query = (count: number) => `query($id: ULID!) { plan(id: $id) { ${beside(count)} } asOf }`;
    expect(NESTED_FIELDS_LIMIT).toBe(100);
    const { plan } = await app.ask<{ plan: object }>(query(NESTED_FIELDS_LIMIT), { id });
    expect(Object.keys(plan)).toHaveLength(NESTED_FIELDS_LIMIT);
    const nested = (count: number) =>
      `query($id: ULID!) { plan(id: $id) { ${beside(count)} parent { root { name } } } asOf }`;
    const refused = await app.send(nested(NESTED_FIELDS_LIMIT - 1), { id });
    expect(refused.body).toMatchObject({
      data: { plan: null, asOf: expect.any(String) },
      errors: [{ path: ["plan"], extensions: { code: "QUERY_TOO_COSTLY" } }],
    });
  });

  it("may filter its lists by so many filters together, however often they are named, and no more", async () => {
    const filter = {
      or: Array.from({ length: FILTERS_LIMIT - 1 }, () => ({ states: ["QUEUED"], tags: {} })),
    };
    const lists = (count: number) =>
      Array.from(
        { length: count },
        (_, index) => `c${index}: children(first: ${index}, filter: $filter) { totalCount }`,
      );
    const ofPlan = (count: number) =>
      app.send(`query($id: ULID!, $filter: PlanFilter) { plan(id: $id) { ${lists(count)} } }`, {
        id,
        filter,
      });
    const ofPage = (count: number) =>
      app.send(
        `query($filter: PlanFilter) { plans(first: 1, filter: $filter) { edges { node { ${lists(count)} } } } }`,
        {
          filter,
        },
      );
    const most = NESTED_FILTERS_LIMIT / FILTERS_LIMIT;
    const refused = [{ extensions: { code: "QUERY_TOO_COSTLY" } }];
    expect((await ofPlan(most)).body.errors).toBeUndefined();
    expect((await ofPlan(most + 1)).body.errors).toMatchObject(refused);
    expect((await ofPage(most - 1)).body.errors).toBeUndefined();
    expect((await ofPage(most)).body.errors).toMatchObject(refused);
  });

  it.each([
    ["a cursor that is none", 'children(after: "x") { totalCount }', "BAD_USER_INPUT"],
    [
      "a deep cursor that is none",
      'root { parent { events(before: "x") { totalCount } } }',
      "BAD_USER_INPUT",
    ],
    ["too many revisions", "parent { workflowPlanRevisions(first: 101) { revision } }", "BAD_USER_INPUT"],
    ["a page of items too large", "workflowPlan { items(first: 101) { totalCount } }", "BAD_USER_INPUT"],
    ["an item's cursor that is none", 'workflowPlan { items(after: "x") { totalCount } }', "BAD_USER_INPUT"],
    ["null where an argument must be given", "workflowPlan { item(id: $none) { id } }", "BAD_USER_INPUT"],
    [
      "a list of items by too many steps",
      `workflowPlanRevisions { items(filter: { steps: [${'"s", '.repeat(101)}] }) { totalCount } }`,
      "BAD_USER_INPUT",
    ],
    ["a page too large", "children(first: 101) { totalCount }", "BAD_USER_INPUT"],
    ["a filter that breaks a rule", 'children(filter: { ids: ["x"] }) { totalCount }', "BAD_USER_INPUT"],
    [
      "too many nested fields",
      "a: root { ...Wide } b: root { ...Wide } c: root { ...Wide } d: root { ...Wide }",
      "QUERY_TOO_COSTLY",
    ],
  ])("of a mutation with %s is refused before anything is changed", async (_what, nested, code) => {
    const plan = await createPlan(app);
    const input = { planId: plan.id, tags: ["changed"] };
    const roots = Array.from({ length: 30 }, (_, index) => `r${index}: root { id }`);
    const wide = `fragment Wide on Plan { ${roots.join(" ")} }`;
    for (const answer of [
      `... on CommandSuccess { plan { ${nested} } }`,
      `... on SetTagsSuccess { ...Success }`,
      `... on VersionConflict { plan { ${nested} } }`,
    ]) {
      const success = answer.includes("...Success")
        ? `fragment Success on SetTagsSuccess { plan { ${nested} } }`
        : "";
      const { body } = await app.send(
        `mutation($input: SetTagsInput! ${nested.includes("$none") ? '$none: String = "x"' : ""}) {
          first: setTags(input: $input) { __typename }
          second: setTags(input: $input) { ${answer} ... on Refusal { code } }
        } ${success} ${nested.includes("...Wide") ? wide : ""}`,
        { input, none: null },
      );
      expect(body).toMatchObject({ data: null, errors: [{ extensions: { code } }] });
      expect(await readPlan(app, plan.id)).toEqual(plan);
    }
  });

  it("that multiplies by fragments is refused before a statement is made of it", async () => {
    const levels = 6;
    const fragments = Array.from({ length: levels }, (_, level) => {
      const below = level + 1 < levels ? `...F${level + 1}` : "name";
      const fields = Array.from(
        { length: 12 },
        (_, index) => `a${index}: children(first: ${index % 2}) { edges { node { ${below} } } }`,
      );
      return `fragment F${level} on Plan { ${fields.join(" ")} }`;
    });
    const query = `query($id: ULID!) { plan(id: $id) { ...F0 } } ${fragments.join(" ")}`;
    const { body } = await app.send(query, { id });
    expect(body.errors?.[0]?.extensions.code).toBe("QUERY_TOO_COSTLY");
  });

  it("of a dry run finds around the plan what would be there", async () => {
    const around =
      "parent { name } root { name phase } children { totalCount edges { node { id } } } events { totalCount }";
    const query = `mutation($input: CreatePlanInput!) {
      createPlan(input: $input) { ... on CommandSuccess { plan { depth ${around} } } }
    }`;
    const input = {
      actionName: "review",
      projectLinks: [{ projectName: "shop" }],
      name: "dry",
      dryRun: true,
    };
    const nothing = { children: { totalCount: 0, edges: [] }, events: { totalCount: 0 } };
    expect(await app.ask(query, { input })).toEqual({
      createPlan: {
        plan: { depth: 0, parent: null, root: { name: "local/dry", phase: "STRATEGIZE" }, ...nothing },
      },
    });
    expect(await app.ask(query, { input: { ...input, parentPlanId: id } })).toEqual({
      createPlan: {
        plan: {
          depth: 1,
          parent: { name: "local/parent" },
          root: { name: "local/parent", phase: "STRATEGIZE" },
          ...nothing,
        },
      },
    });
    const { id: planId } = await createPlan(app);
    const start = `mutation($input: StartPhaseInput!) { startPhase(input: $input) { ... on CommandSuccess { plan { state events { totalCount } } } } }`;
    expect(await app.ask(start, { input: { planId, dryRun: true } })).toEqual({
      startPhase: { plan: { state: "PROCESSING", events: { totalCount: 1 } } },
    });
    await succeed(app, "startPhase", { planId });
  });
});
