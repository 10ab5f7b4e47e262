/** Documents of every size and form that come in over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCUMENT_LIMIT } from "../../src/workflow/validate.js";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, run } from "../support/plans.js";
import { checkJson, cli, itemWith, type JsonObject, planWith } from "./support/documents.js";

const VALIDATE = `query($document: WorkflowPlanDocument!) { validateWorkflowPlan(document: $document) {
  valid freezable issues { path code message } workflowPlan { digest itemCount } } }`;
const faultsIn = (check: { issues: readonly { path: string; code: string }[] }) =>
  check.issues.map(({ path, code }) => `${path} ${code}`);

interface Validated {
  readonly validateWorkflowPlan: {
    readonly valid: boolean;
    readonly issues: readonly { readonly path: string; readonly code: string }[];
    readonly workflowPlan: { readonly digest: string; readonly itemCount: number } | null;
  };
}

/** A document of just so many bytes as text. */
function documentOf(bytes: number, count: number): string {
  const text = (filling: string) =>
    JSON.stringify(
      planWith(
        Array.from({ length: count }, (_, index) =>
          itemWith({
            id: `i${index}`,
            position: index + 1,
            dependencies: index === 0 ? [] : [`i${index - 1}`],
          }),
        ),
        { workflow_description: filling },
      ),
    );
  return text("x".repeat(bytes - text("").length));
}

describe.each(appHomes)("a document ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  const validate = async (document: object) =>
    (await app.ask<Validated>(VALIDATE, { document })).validateWorkflowPlan;

  it("of 3 MiB is checked while others are answered, and frozen", async () => {
    const text = documentOf(DOCUMENT_LIMIT, 2_000);
    const order: string[] = [];
    const note = (what: string) => () => order.push(what);
    const checked = validate({ text });
    const noted = checked.then(note("the document"));
    await app.ask("{ lifecycle { phases } }").then(note("another request"));
    await app.ask("{ asOf }").then(note("one more"));
    await noted;
    expect(order).toEqual(["another request", "one more", "the document"]);
    expect(await checked).toMatchObject({ valid: true, freezable: true, workflowPlan: { itemCount: 2_000 } });

    const { id } = await createPlan(app);
    const outcome = await run(app, "freezeWorkflowPlan", { planId: id, document: { text } });
    expect(outcome.plan).toMatchObject({ version: 2 });
  });

  it("that is larger is refused, and so is a body that no document can fill", async () => {
    expect(faultsIn(await validate({ text: documentOf(DOCUMENT_LIMIT + 1, 1) }))).toEqual(["$ TOO_LARGE"]);
    const json = JSON.parse(documentOf(DOCUMENT_LIMIT + 100, 1));
    expect(faultsIn(await validate({ json }))).toEqual(["$ TOO_LARGE"]);
    const tooMuch = await app.send(VALIDATE, { document: { text: documentOf(DOCUMENT_LIMIT * 1.5, 1) } });
    expect(tooMuch.status).toBe(413);
  });

  it("with more than 10,000 items, or nested deeper than 64 levels, is refused", async () => {
    const { issues } = await validate({ json: planWith(Array.from({ length: 10_001 }, () => 0)) });
    expect(issues).toMatchObject([{ path: "$.items", code: "TOO_MANY_ITEMS" }]);
    const nested = `${"[".repeat(65)}${"]".repeat(65)}`;
    expect(faultsIn(await validate({ text: nested }))[0]).toMatch(/^\$(\[0\])+ TOO_DEEP$/);
    expect(faultsIn(await validate({ json: JSON.parse(nested) }))[0]).toMatch(/^\$(\[0\])+ TOO_DEEP$/);
    const literal = await app.ask<Validated>(
      `{ validateWorkflowPlan(document: { json: ${nested} }) { issues { path code } } }`,
    );
    expect(faultsIn(literal.validateWorkflowPlan)[0]).toMatch(/^\$(\[0\])+ TOO_DEEP$/);
  });

  it("may stand in the GraphQL document, if it is small", async () => {
    const plan = planWith([itemWith()]);
    const text = JSON.stringify(plan);
    const json = text.replace(/"([a-z_]+)":/g, "$1:");
    const query = `{
      text: validateWorkflowPlan(document: { text: ${JSON.stringify(text)} }) { ...D }
      json: validateWorkflowPlan(document: { json: ${json} }) { ...D }
    } fragment D on WorkflowPlanCheck { workflowPlan { digest } }`;
    const { digest } = checkJson(plan).workflowPlan ?? expect.unreachable();
    expect(await app.ask(query)).toEqual({
      text: { workflowPlan: { digest } },
      json: { workflowPlan: { digest } },
    });
  });

  it("is given as text or as a value, not both and not neither", async () => {
    for (const document of [{}, { text: "{}", json: {} }, { text: null }]) {
      const { body } = await app.send(VALIDATE, { document });
      expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(["BAD_USER_INPUT"]);
    }
  });

  it("has its steps numbered anew where that is asked for", async () => {
    const steps = planWith([
      itemWith({ ancestors: ["a"], step: "a/b", step_ordinals: [7] }),
      itemWith({ id: "c", position: 2, ancestors: ["a"], step: "a/c" }),
    ]);
    const query = `query($document: WorkflowPlanDocument!) { numberStepPaths(document: $document) {
      valid freezable workflowPlan { items { edges { node { stepOrdinals } } } } } }`;
    expect(await app.ask(query, { document: { json: steps } })).toEqual({
      numberStepPaths: {
        valid: true,
        freezable: true,
        workflowPlan: {
          items: { edges: [{ node: { stepOrdinals: [1, 1] } }, { node: { stepOrdinals: [1, 2] } }] },
        },
      },
    });
  });

  it("keeps what JavaScript would lose in the texts beside the typed fields", async () => {
    const operation = (others: string) => `{"type":"action",${others}}`;
    const operations = [
      operation('"identifier":"plugin","payload":{"10":1.0,"2":2,"__proto__":{"a":12345678901234567890}}'),
      operation(
        '"identifier":"cli","payload":{"commands":[{"shell":"x","env":{"10":"a","2":"b"}},{"argv":["y"]}],"assert":["empty",{"equals":"z"}],"idempotent":true}',
      ),
      operation(
        '"identifier":"extension","payload":{"reference":"r","version":null,"api_version":12345678901234567890,"source":null,"fingerprint":null,"settings":{"10":1.0,"2":2}}',
      ),
      '{"type":"loop","loop_id":"l","boundary":"repeat","max_times":12345678901234567890}',
      '{"type":"workflow_transition","target":"next"}',
      '{"type":"child_workflow","workflow":"child","launch":{"model":"m"}}',
    ];
    const carriers: JsonObject[] = [
      {},
      cli,
      cli,
      { owner: "ww", execution: "loop_control" },
      { owner: "ww", execution: "workflow_transition" },
      { owner: "ww", execution: "agent_instruction" },
    ];
    const items = operations.map((text, index) =>
      JSON.stringify(
        itemWith({ ...carriers[index], id: `i${index}`, position: index + 1, operation: "OPERATION" }),
      ).replace('"OPERATION"', text),
    );
    const text = JSON.stringify(planWith(["ITEMS"])).replace('"ITEMS"', items.join());
    const query = `query($document: WorkflowPlanDocument!) { validateWorkflowPlan(document: $document) {
      issues { path message }
      workflowPlan { items { edges { node { operation { __typename
        ... on ActionOperation { identifier payloadJson
          cli { commands { json ... on WorkflowShellCommand { shell env { name value } } ... on WorkflowArgvCommand { argv } } assert { empty equals } idempotent }
          extension { reference apiVersion settings settingsJson arguments } prompt { text } }
        ... on LoopOperation { loopId boundary maxTimes }
        ... on WorkflowTransitionOperation { target }
        ... on ChildWorkflowOperation { workflow launch { model agent } }
      } } } } } } }`;
    const { validateWorkflowPlan } = await app.ask<{
      validateWorkflowPlan: { workflowPlan: { items: { edges: { node: { operation: object } }[] } } };
    }>(query, { document: { text } });
    const action = { __typename: "ActionOperation", cli: null, extension: null, prompt: null };
    expect(validateWorkflowPlan.workflowPlan.items.edges.map(({ node }) => node.operation)).toEqual([
      {
        ...action,
        identifier: "plugin",
        payloadJson: '{"10":1.0,"2":2,"__proto__":{"a":12345678901234567890}}',
      },
      {
        ...action,
        identifier: "cli",
        payloadJson: expect.stringContaining('"env":{"10":"a","2":"b"}'),
        cli: {
          commands: [
            {
              json: '{"shell":"x","env":{"10":"a","2":"b"}}',
              shell: "x",
              env: [
                { name: "10", value: "a" },
                { name: "2", value: "b" },
              ],
            },
            { json: '{"argv":["y"]}', argv: ["y"] },
          ],
          assert: [
            { empty: true, equals: null },
            { empty: false, equals: "z" },
          ],
          idempotent: true,
        },
      },
      {
        ...action,
        identifier: "extension",
        payloadJson: expect.stringContaining('"settings":{"10":1.0,"2":2}'),
        extension: {
          reference: "r",
          apiVersion: "12345678901234567890",
          settings: { 2: 2, 10: 1 },
          settingsJson: '{"10":1.0,"2":2}',
          arguments: [],
        },
      },
      { __typename: "LoopOperation", loopId: "l", boundary: "REPEAT", maxTimes: "12345678901234567890" },
      { __typename: "WorkflowTransitionOperation", target: "next" },
      { __typename: "ChildWorkflowOperation", workflow: "child", launch: { model: "m", agent: null } },
    ]);
  });
});
