/** The cases of the format through the API, in few requests: checked, frozen, and read back. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { breaksChildren, handsOver, kindOf, laneOf } from "../../src/workflow/derived.js";
import { workflowPlan, workflowPlanItem } from "../../src/workflow/model/plan.js";
import { renderItem } from "../../src/workflow/plan-codec.js";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, readPlan, runAll } from "../support/plans.js";
import { checkText } from "./support/documents.js";
import { selectionOf, shownObject } from "./support/shown.js";
import { acceptedCases, refusedCases } from "./support/vectors.js";

const OPERATION = "operation { __typename ... on ActionOperation { identifier payloadJson } }";
const CONTENT = `
  digest canonicalText itemCount lane ${selectionOf(workflowPlan, ["items"])}
  items(first: 100) { totalCount edges { node {
    ${selectionOf(workflowPlanItem, ["operation"])} kind breaksChildren handsOver json ${OPERATION}
  } } }`;

const accepted = acceptedCases().map((one) => ({
  ...one,
  check: checkText(one.input),
}));
const refused = refusedCases().map((one) => ({ ...one, check: checkText(one.input) }));

interface Check {
  readonly valid: boolean;
  readonly freezable: boolean;
  readonly issues: readonly object[];
  readonly freezeIssues: readonly object[];
  readonly workflowPlan: object | null;
}

/** As many as one operation may have checked. */
const DOCUMENTS_AT_ONCE = 4;

describe.each(appHomes)("the cases of the format ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  async function validateAll(texts: readonly string[], selection: string): Promise<Check[]> {
    const checks: Check[] = [];
    for (let from = 0; from < texts.length; from += DOCUMENTS_AT_ONCE) {
      const some = texts.slice(from, from + DOCUMENTS_AT_ONCE);
      const parameters = some.map((_, index) => `$d${index}: WorkflowPlanDocument!`);
      const fields = some.map((_, index) => `c${index}: validateWorkflowPlan(document: $d${index}) { ...C }`);
      const query = `query(${parameters.join()}) { ${fields.join(" ")} }
        fragment C on WorkflowPlanCheck { valid freezable issues { path code message } freezeIssues { path code message } ${selection} }`;
      const variables = Object.fromEntries(some.map((text, index) => [`d${index}`, { text }]));
      checks.push(...Object.values(await app.ask<Record<string, Check>>(query, variables)));
    }
    return checks;
  }

  it("are valid or not as expected, with every fault at its path", async () => {
    const all = [...accepted, ...refused];
    const checks = await validateAll(
      all.map(({ input }) => input),
      "workflowPlan { digest canonicalText revision frozenAt }",
    );
    expect(checks).toEqual(
      all.map(({ check: { issues, freezeIssues, workflowPlan } }) => ({
        valid: workflowPlan !== null,
        freezable: workflowPlan !== null && freezeIssues.length === 0,
        issues,
        freezeIssues,
        workflowPlan: workflowPlan && {
          digest: workflowPlan.digest,
          canonicalText: workflowPlan.canonicalText,
          revision: null,
          frozenAt: null,
        },
      })),
    );
    expect(checks.map(({ valid }) => valid)).toEqual([
      ...accepted.map(() => true),
      ...refused.map(() => false),
    ]);
  });

  it("are frozen one after the other, and read back to the byte with all that is in them", async () => {
    const freezable = accepted.filter(({ check }) => check.freezeIssues.length === 0);
    const { id } = await createPlan(app);
    for (let from = 0; from < freezable.length; from += 20) {
      const outcomes = await runAll(
        app,
        id,
        freezable
          .slice(from, from + 20)
          .map(({ input }) => ["freezeWorkflowPlan", { document: { text: input } }] as const),
      );
      for (const outcome of outcomes) expect(outcome.__typename).toBe("FreezeWorkflowPlanSuccess");
    }
    // The one that counts already is frozen no second time.
    const frozen = freezable.filter(
      ({ expected }, index) => expected.digest !== freezable[index - 1]?.expected.digest,
    );
    await app.stop();
    app = await start({ place: app.place });

    const { workflowPlanRevisions: revisions } = await readPlan<{ workflowPlanRevisions: object[] }>(
      app,
      id,
      `workflowPlanRevisions { revision ${CONTENT} }`,
    );
    expect(revisions).toEqual(
      frozen.map(({ expected, check }, index) => {
        const { plan } = check.workflowPlan ?? expect.unreachable();
        return {
          revision: index + 1,
          digest: expected.digest,
          canonicalText: expected.canonical,
          itemCount: plan.items.length,
          lane: laneOf(plan),
          ...shownObject(workflowPlan, plan, ["items"]),
          items: {
            totalCount: plan.items.length,
            edges: plan.items.map((item) => ({
              node: {
                ...shownObject(workflowPlanItem, item, ["operation"]),
                kind: kindOf(item),
                breaksChildren: breaksChildren(item),
                handsOver: handsOver(item),
                json: renderItem(item),
                operation: expect.objectContaining({ __typename: expect.any(String) }),
              },
            })),
          },
        };
      }),
    );
  });

  it("are refused to be frozen where they lack what freezing adds", async () => {
    const others = [
      ...accepted.filter(({ check }) => check.freezeIssues.length > 0),
      ...refused.slice(0, 20),
    ];
    const { id, version } = await createPlan(app);
    const outcomes = await runAll(
      app,
      id,
      others.map(({ input }) => ["freezeWorkflowPlan", { document: { text: input } }] as const),
    );
    expect(outcomes.map(({ issues }) => issues)).toEqual(
      others.map(({ check }) =>
        [...check.issues, ...check.freezeIssues].map((issue) => ({
          ...issue,
          path: `document${issue.path}`,
        })),
      ),
    );
    expect(await readPlan(app, id)).toMatchObject({ version });
  });
});
