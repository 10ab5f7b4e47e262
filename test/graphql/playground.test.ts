/** The tabs of the playground, run as someone does who opens it for the first time. */
import { type DocumentNode, getOperationAST, parse, print, validate } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { playground } from "../../src/graphql/playground.js";
import { phaselineSchema } from "../../src/graphql/schema.js";
import { appHomes, type TestApp } from "../support/app.js";
import { post } from "../support/http.js";

const tabs = playground.tabs.map(({ query, variables = "{}" }) => ({
  document: parse(query),
  variables: JSON.parse(variables) as { readonly id?: string; readonly document?: object },
}));

function operationsOf(document: DocumentNode): string[] {
  return document.definitions.flatMap((definition) =>
    definition.kind === "OperationDefinition" ? [definition.name?.value ?? ""] : [],
  );
}

describe.each(appHomes)("the tabs of the playground ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  it("work in their order on an empty database, while the feed of the third runs on", async () => {
    const answers: Record<string, unknown> = {};
    const client = await app.socket();
    let id = "";
    for (const [index, { document, variables }] of tabs.entries()) {
      // The last tab asks for a plan whose work has not begun.
      if (variables.document !== undefined) id = await firstTab(app);
      for (const operationName of operationsOf(document)) {
        const payload = { query: print(document), operationName, variables: { ...variables, id } };
        if (getOperationAST(document, operationName)?.operation === "subscription") {
          client.send({ id: "feed", type: "subscribe", payload });
          expect(await client.next()).toMatchObject({ payload: { data: { planEvents: {} } } });
          continue;
        }
        const answer = await post(app.endpoint, payload);
        expect(answer.body.errors).toBeUndefined();
        answers[operationName] = answer.body.data;
      }
      if (index === 0) id = idOf(answers.MakeAPlan);
    }
    expect(answers).toMatchObject({
      MakeAPlan: { createPlan: { plan: { phase: "STRATEGIZE", state: "QUEUED" } } },
      ListPlans: { plans: { totalCount: 1, edges: [{ node: { id: idOf(answers.MakeAPlan) } }] } },
      StartPhase: { startPhase: { plan: { state: "PROCESSING" } } },
      CompletePhase: { completePhase: { plan: { state: "COMPLETE" } } },
      AdvanceToExecute: { advancePlan: { plan: { phase: "EXECUTE", state: "QUEUED" } } },
      Overview: { planCounts: { total: 1 } },
      CheckWorkflow: { validateWorkflowPlan: { valid: true, freezable: true, issues: [] } },
      FreezeWorkflow: { freezeWorkflowPlan: { plan: { workflowPlan: { revision: 1 } } } },
    });
    for (const type of ["PHASE_STARTED", "PHASE_COMPLETED", "PHASE_ADVANCED"])
      expect(await client.next()).toMatchObject({ payload: { data: { planEvents: { event: { type } } } } });
    client.socket.terminate();
    await client.closed;
  });
});

it("the tabs of the playground are valid, whatever of them is run", () => {
  for (const { document } of tabs) expect(validate(phaselineSchema(), document)).toEqual([]);
});

/** Makes another plan as the first tab does. */
async function firstTab(app: TestApp): Promise<string> {
  const [first] = tabs;
  if (first === undefined) throw new Error("The playground has no tab.");
  return idOf(await app.ask(print(first.document)));
}

function idOf(data: unknown): string {
  return (data as { createPlan: { plan: { id: string } } }).createPlan.plan.id;
}
