/** The items of workflow plans: pages, filters and what depends on what, at a cost that does not grow with them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, readPlan, succeed } from "../support/plans.js";
import { cli, itemWith, type JsonObject, planWith } from "./support/documents.js";

/** Every third item is a cli item, and each waits for the first and for the one before. */
function manyItems(count: number, name: string): JsonObject {
  const items = Array.from({ length: count }, (_, index) =>
    itemWith({
      ...(index % 3 === 2 ? cli : {}),
      id: `i${index}`,
      position: index + 1,
      step: `step/${index % 10}`,
      phase: index % 2 === 0 ? "step" : "before_start",
      dependencies: index === 0 ? [] : [...new Set(["i0", `i${index - 1}`])],
    }),
  );
  return planWith(items, { workflow: name });
}

const ITEM = "id kind dependsOn { id dependsOn { id } } dependents { id }";
const PAGE = "items(first: 100) { totalCount edges { cursor node { id name json dependsOn { id } } } }";

interface Items {
  readonly totalCount: number;
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly endCursor: string;
  };
}

describe.each(appHomes)("the items of a workflow plan ($name)", ({ start }) => {
  const statements: string[] = [];
  let app: TestApp;
  let large: string;
  beforeAll(async () => {
    app = await start({ observer: { onStatement: (text) => statements.push(text) } });
    large = await planWithItems(2_000, "large");
  });
  afterAll(() => app.close());

  async function planWithItems(count: number, name: string): Promise<string> {
    const { id } = await createPlan(app, { actionName: `action-${name}` });
    await succeed(app, "freezeWorkflowPlan", {
      planId: id,
      document: { json: manyItems(count, `${name}-${id}`) },
    });
    return id;
  }

  async function cost(query: string, variables: object): Promise<number> {
    const before = statements.length;
    await app.ask(query, variables);
    return statements.length - before;
  }

  async function items(args: string, planId = large): Promise<Items> {
    const { workflowPlan } = await readPlan<{ workflowPlan: { items: Items } }>(
      app,
      planId,
      `workflowPlan { items${args} { totalCount edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
    );
    return workflowPlan.items;
  }
  const idsOf = ({ edges }: Items) => edges.map(({ node }) => node.id);

  it("cost as many statements however many there are, in one plan and in a list", async () => {
    const small = await planWithItems(2, "small");
    const huge = await planWithItems(2_000, "huge");
    const one = `query($id: ULID!) { plan(id: $id) { workflowPlan { digest workflow ${PAGE} item(id: "i1") { ${ITEM} } } } }`;
    const costs = [];
    for (const id of [small, huge]) costs.push(await cost(one, { id }), await cost(one, { id }));
    // The plan's version, the plan, the text; then the version alone.
    expect(costs).toEqual([3, 1, 3, 1]);

    for (const count of [1, 12]) {
      for (let index = 0; index < count; index += 1) await planWithItems(20, `list-${count}`);
    }
    const list = `query($names: [String!]) { plans(filter: { actionNames: $names }) { edges { node {
      workflowPlan { digest ${PAGE} } workflowPlanRevisions { revision ${PAGE} } } } } }`;
    const listCosts = [];
    for (const count of [1, 12]) {
      const names = [`action-list-${count}`];
      listCosts.push(await cost(list, { names }), await cost(list, { names }));
    }
    expect(listCosts).toEqual([3, 1, 3, 1]);
  });

  it("are not read where only what the plan knows is asked for", async () => {
    const id = await planWithItems(2, "unread");
    await createPlanRevisions(id);
    const query = `query($id: ULID!) { plan(id: $id) {
      workflowPlan { revision digest itemCount frozenAt } workflowPlanRevisions { revision digest itemCount frozenAt } } }`;
    const before = statements.length;
    await app.ask(query, { id });
    const asked = statements.slice(before);
    expect(asked).toHaveLength(3);
    expect(asked.join()).not.toContain("canonical_text");
  });

  it("come page by page, each once and in order", async () => {
    const all: string[] = [];
    let after = "";
    for (let page = 0; page < 20; page += 1) {
      const found = await items(`(first: 100${after})`);
      expect(found).toMatchObject({
        totalCount: 2_000,
        pageInfo: { hasNextPage: page < 19, hasPreviousPage: page > 0 },
      });
      all.push(...idsOf(found));
      after = `, after: "${found.pageInfo.endCursor}"`;
    }
    expect(all).toEqual(Array.from({ length: 2_000 }, (_, index) => `i${index}`));
    expect(idsOf(await items(`(first: 100${after})`))).toEqual([]);
    expect(idsOf(await items(""))).toHaveLength(20);
  });

  it.each([
    ["ids", '{ ids: ["i7", "i3", "nothing"] }', ["i3", "i7"], 2],
    ["owners", "{ owners: [WW] }", ["i2", "i5"], 666],
    ["phases", "{ phases: [BEFORE_START] }", ["i1", "i3"], 1_000],
    ["steps", '{ steps: ["step/4"] }', ["i4", "i14"], 200],
    ["kinds", '{ kinds: ["prompt"] }', ["i0", "i1"], 1_334],
    ["loops", '{ loopIds: ["loop"] }', [], 0],
    ["several at once", '{ kinds: ["cli"], phases: [STEP], steps: ["step/2"] }', ["i2", "i32"], 67],
    ["nothing", "{ owners: [] }", [], 0],
  ])("are found by %s, and paged on", async (_what, filter, first, totalCount) => {
    const page = await items(`(first: 2, filter: ${filter})`);
    expect({ ids: idsOf(page), totalCount: page.totalCount }).toEqual({ ids: first, totalCount });
    if (first.length === 0) return;
    const rest = await items(`(first: 2, filter: ${filter}, after: "${page.pageInfo.endCursor}")`);
    expect(idsOf(rest).filter((id) => first.includes(id))).toEqual([]);
  });

  it("are refused after a cursor that is none, also where the filter finds nothing", async () => {
    const query = `query($id: ULID!) { plan(id: $id) {
      workflowPlan { items(filter: { owners: [] }, after: "x") { totalCount } } } }`;
    const { body } = await app.send(query, { id: large });
    expect(body.errors).toMatchObject([
      { extensions: { code: "BAD_USER_INPUT", issues: [{ path: "after", code: "MALFORMED" }] } },
    ]);
  });

  it("know what they wait for, and what waits for them", async () => {
    const { workflowPlan } = await readPlan<{
      workflowPlan: { item: { dependents: { id: string }[] }; middle: object; missing: null };
    }>(
      app,
      large,
      `workflowPlan { item(id: "i0") { ${ITEM} } middle: item(id: "i5") { ${ITEM} } missing: item(id: "none") { id } }`,
    );
    expect(workflowPlan.item.dependents).toHaveLength(1_999);
    expect(workflowPlan.middle).toEqual({
      id: "i5",
      kind: "cli",
      dependsOn: [
        { id: "i0", dependsOn: [] },
        { id: "i4", dependsOn: [{ id: "i0" }, { id: "i3" }] },
      ],
      dependents: [{ id: "i6" }],
    });
    expect(workflowPlan.missing).toBeNull();
  });

  it("are reached through each other within a limit", async () => {
    const deep = `workflowPlan { items(first: 100) { edges { node { dependsOn { dependents { id } } } } } }`;
    const { body } = await app.send(`{ plan(id: "${large}") { ${deep} } }`);
    expect(body.errors?.map(({ extensions }) => extensions.code)).toContain("QUERY_TOO_COSTLY");
    expect(body.data).toEqual({ plan: { workflowPlan: null } });
  });

  it("are reached within the limit of one answer, whichever plans they are of; each item of a feed is an answer", async () => {
    const aliases = (count: number, field: string) =>
      Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(" ");
    const dependents = 'item(id: "i0") { dependents { id } }';
    const { body } = await app.send(
      `{ ${aliases(26, `plan(id: "${large}") { workflowPlan { ${dependents} } }`)} }`,
    );
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(["QUERY_TOO_COSTLY"]);

    const client = await app.socket();
    const query = `subscription { planUpdated(id: "${large}") { version workflowPlan { ${aliases(20, dependents)} } } }`;
    client.send({ id: "1", type: "subscribe", payload: { query } });
    for (const tag of ["a", "b"]) {
      const { payload } = await client.next();
      expect(payload).not.toHaveProperty("errors");
      expect(payload).toMatchObject({
        data: { planUpdated: { workflowPlan: { a19: { dependents: expect.anything() } } } },
      });
      await succeed(app, "setTags", { planId: large, tags: [tag] });
    }
    client.socket.terminate();
  });

  it("are shown no more often in one answer than it may hold of their texts", async () => {
    const text = `plan(id: "${large}") { workflowPlan { canonicalText } }`;
    const aliases = Array.from({ length: 99 }, (_, index) => `a${index}: ${text}`);
    const { body } = await app.send(`{ ${aliases.join(" ")} }`);
    const codes = body.errors?.map(({ extensions }) => extensions.code);
    expect(new Set(codes)).toEqual(new Set(["QUERY_TOO_COSTLY"]));
  });

  it("are too many of an answer to a command only once it is done, and its error says that it is", async () => {
    const texts = Array.from({ length: 97 }, (_, index) => `a${index}: canonicalText`).join(" ");
    const { body } = await app.send(`mutation {
      first: setTags(input: { planId: "${large}", tags: ["first"] }) { __typename }
      dry: setTags(input: { planId: "${large}", tags: ["dry"], dryRun: true }) { __typename }
      second: setTags(input: { planId: "${large}", tags: ["second"] }) {
        ... on CommandSuccess { plan { workflowPlan { ${texts} } } }
      }
    }`);
    expect(body.errors).toMatchObject([
      {
        message: expect.stringMatching(/^The command succeeded, but /),
        extensions: { code: "QUERY_TOO_COSTLY", succeeded: ["first", "second"] },
      },
    ]);
    expect(await readPlan(app, large, "tags")).toEqual({ tags: ["second"] });
  });

  it.each(["(first: 101)", "(first: -1)", '(after: "nonsense")'])("are refused for %s", async (args) => {
    const { body } = await app.send(
      `{ plan(id: "${large}") { workflowPlan { items${args} { totalCount } } } }`,
    );
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(["BAD_USER_INPUT"]);
  });

  async function createPlanRevisions(planId: string): Promise<void> {
    for (const workflow of ["a", "b"])
      await succeed(app, "freezeWorkflowPlan", { planId, document: { json: planWith([], { workflow }) } });
  }
});
