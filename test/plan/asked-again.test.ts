import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, succeed } from "../support/plans.js";

const SELECTION = `name tags phase state version updatedAt errorMessage archivedAt availableActions { command allowed }
  phases { phase status attempts } invariants { text } parent { name version } root { name tags }
  events(last: 2) { totalCount edges { cursor node { type } } }
  children { totalCount asOf edges { cursor node { name tags version children { totalCount } } } }`;
const QUERIES = {
  "a page": `query ($root: ULID!) { plans(filter: { rootPlanId: $root, includeArchived: true }) {
    totalCount asOf pageInfo { endCursor } edges { node { id ${SELECTION} } } } }`,
  "an unfiltered page": `{ plans(first: 3) { asOf edges { cursor node { id ${SELECTION} } } } }`,
  "one plan": `query ($root: ULID!) { plan(id: $root) { id ${SELECTION} } }`,
};

/** Often enough for whatever is kept to be kept. */
const OFTEN = 20;

describe.each(appHomes)("a question that is asked again ($name)", ({ start }) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  it.each(Object.entries(QUERIES))(
    "for %s is answered as if it had never been asked",
    async (_what, query) => {
      const root = await createPlan(app, { name: "root", tags: ["a"], invariants: [{ text: "it holds" }] });
      const child = await createPlan(app, { name: "child", parentPlanId: root.id });
      const variables = query.includes("$root") ? { root: root.id } : {};
      const changes: Record<string, () => Promise<unknown>> = {
        "nothing has changed": async () => {},
        "the plan has changed": () => succeed(app, "setTags", { planId: root.id, tags: ["b"] }),
        "a child has changed": () => succeed(app, "setTags", { planId: child.id, tags: ["c"] }),
        "a phase has begun": () => succeed(app, "startPhase", { planId: child.id }),
        "it has failed": () => succeed(app, "failPhase", { planId: child.id, message: "It broke." }),
        "a child has come": () => createPlan(app, { parentPlanId: root.id }),
        "a grandchild has come": () => createPlan(app, { parentPlanId: child.id }),
        "a plan elsewhere has come": () => createPlan(app),
        "the child is cancelled": () => succeed(app, "cancelPlan", { planId: child.id }),
        "the child is archived": () => succeed(app, "archivePlan", { planId: child.id }),
      };
      for (let n = 0; n < OFTEN; n += 1) await app.ask(query, variables);
      for (const [when, change] of Object.entries(changes)) {
        await change();
        const again = await app.ask(query, variables);
        // To whatever is kept, another document is another question.
        expect(again, when).toEqual(await app.ask(`${query} # ${when}`, variables));
        expect(await app.ask(query, variables), when).toEqual(again);
      }
    },
  );

  it("with other arguments is answered for these", async () => {
    const query = `query ($first: Int, $tags: [String!], $with: Boolean!) {
      plans(first: $first, filter: { tags: { any: $tags } }) {
        totalCount edges { node { name tags @include(if: $with) children(first: $first) { edges { node { name } } } } } } }`;
    for (const variables of [
      { first: 1, tags: ["b"], with: true },
      { first: 2, tags: ["b"], with: true },
      { first: 2, tags: ["none"], with: true },
      { first: 2, tags: ["b"], with: false },
      { first: 1, tags: ["b"], with: true },
    ]) {
      const anew = await app.ask(`${query} # ${JSON.stringify(variables)}`, variables);
      expect(await app.ask(query, variables)).toEqual(anew);
    }
  });

  it("by many at once for other plans each gives everyone their own", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `asked-${index}`);
    const plans = await Promise.all(names.map((name) => createPlan(app, { name })));
    const ids = [...plans.map(({ id }) => id), "01ARZ3NDEKTSV4RRFFQ69G5FAV", plans[0]?.id];
    const answers = await Promise.all(
      ids.map((id) => app.ask("query ($id: ULID!) { plan(id: $id) { id name } }", { id })),
    );
    expect(answers.map(({ plan }) => plan)).toEqual([
      ...plans.map(({ id, name }) => ({ id, name })),
      null,
      { id: plans[0]?.id, name: plans[0]?.name },
    ]);
  });
});
