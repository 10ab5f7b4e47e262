/** Freezing workflow plans on plans: when it is allowed, what it leaves, and that nothing changes it afterwards. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restartAltered } from "../support/alterations.js";
import { appHomes, startTestApp, type TestApp } from "../support/app.js";
import {
  createPlan,
  createPlanAt,
  historyOf,
  type Outcome,
  readPlan,
  run,
  succeed,
} from "../support/plans.js";
import { checkJson, cli, itemWith, type JsonObject, planWith } from "./support/documents.js";

const FIRST = planWith([itemWith()]);
const SECOND = planWith([itemWith(), itemWith({ id: "test", position: 2, dependencies: ["build"] })]);
const digestOf = (document: JsonObject) => checkJson(document).workflowPlan?.digest;
const FROZEN =
  "version workflowPlan { revision digest itemCount frozenAt workflow } workflowPlanRevisions { revision digest }";

interface Frozen {
  readonly version: number;
  readonly workflowPlan: {
    readonly revision: number;
    readonly digest: string;
    readonly frozenAt: string;
  } | null;
  readonly workflowPlanRevisions: readonly { readonly revision: number; readonly digest: string }[];
}

describe.each(appHomes)("freezing a workflow plan ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  const freeze = (planId: string, json: JsonObject, others: object = {}): Promise<Outcome> =>
    run(app, "freezeWorkflowPlan", { planId, document: { json }, ...others });
  const frozenOn = (planId: string) => readPlan<Frozen>(app, planId, FROZEN);
  const codes = ({ blockers }: Outcome) => blockers?.map(({ code }) => code);

  it("makes a revision, in one event with its number and its digest", async () => {
    const { id } = await createPlan(app);
    expect(await frozenOn(id)).toEqual({ version: 1, workflowPlan: null, workflowPlanRevisions: [] });
    const outcome = await freeze(id, FIRST);
    expect(outcome).toMatchObject({ __typename: "FreezeWorkflowPlanSuccess", plan: { version: 2 } });
    await freeze(id, SECOND);
    const events = (await historyOf(app, id)).slice(1);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ["WORKFLOW_FROZEN", { revision: 1, digest: digestOf(FIRST) }],
      ["WORKFLOW_FROZEN", { revision: 2, digest: digestOf(SECOND) }],
    ]);
    expect(outcome.cursor).toBe(events[0]?.cursor);
    expect(await frozenOn(id)).toEqual({
      version: 3,
      workflowPlan: {
        revision: 2,
        digest: digestOf(SECOND),
        itemCount: 2,
        frozenAt: events[1]?.at,
        workflow: "feature",
      },
      workflowPlanRevisions: [
        { revision: 1, digest: digestOf(FIRST) },
        { revision: 2, digest: digestOf(SECOND) },
      ],
    });
  });

  it("that counts already succeeds without an event, at the head of the log", async () => {
    const { id } = await createPlan(app);
    await freeze(id, FIRST);
    const { asOf } = await app.ask<{ asOf: string }>("{ asOf }");
    const again = await run(app, "freezeWorkflowPlan", {
      planId: id,
      document: { text: JSON.stringify(FIRST, null, 2) },
      idempotencyKey: `again ${id}`,
    });
    expect(again).toMatchObject({ plan: { version: 2 }, cursor: asOf });
    await freeze(id, SECOND);
    await freeze(id, FIRST);
    expect((await frozenOn(id)).workflowPlanRevisions.map(({ digest }) => digest)).toEqual(
      [FIRST, SECOND, FIRST].map(digestOf),
    );
  });

  it("is refused with every fault, at its path in the document, beside those of the input", async () => {
    const document = planWith([itemWith({ owner: "nobody" }), itemWith({ position: "two" })]);
    const invalid = await freeze("no id", document, { expectedVersion: 0 });
    expect(invalid.issues?.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "planId MALFORMED",
      "expectedVersion OUT_OF_RANGE",
      "document$.items[0].owner UNKNOWN_VALUE",
      "document$.items[1].position WRONG_TYPE",
      "document$.items[1].id DUPLICATE_ID",
    ]);
    const { id } = await createPlan(app);
    const twice = await freeze(id, planWith([itemWith(), itemWith({ dependencies: ["nothing"] })]));
    expect(twice.issues?.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "document$.items[1].id DUPLICATE_ID",
      "document$.items[1].position POSITION_GAP",
      "document$.items[1].dependencies[0] UNKNOWN_ITEM",
    ]);
  });

  it("is refused where the text is none that the database can hold", async () => {
    const { id } = await createPlan(app);
    for (const text of ["a\u0000b", "\ud800", "x\udc00"]) {
      const named = planWith([itemWith({ name: text })]);
      const query = `query($d: WorkflowPlanDocument!) { validateWorkflowPlan(document: $d) { valid freezable freezeIssues { path code } } }`;
      expect(await app.ask(query, { d: { text: JSON.stringify(named) } })).toEqual({
        validateWorkflowPlan: {
          valid: true,
          freezable: false,
          freezeIssues: [{ path: "$.items[0].name", code: "NOT_STORABLE" }],
        },
      });
      for (const document of [{ text: JSON.stringify(named) }, { json: named }]) {
        const outcome = await run(app, "freezeWorkflowPlan", { planId: id, document });
        expect(outcome.issues?.map(({ path }) => path)).toEqual(["document$.items[0].name"]);
      }
    }
  });

  it("is for plans in STRATEGIZE that are not final", async () => {
    const elsewhere = await createPlanAt(app, "EXECUTE", "PROCESSING");
    expect(codes(await freeze(elsewhere.id, FIRST))).toEqual(["PHASE_NOT_ALLOWED"]);
    const cancelled = await createPlanAt(app, "STRATEGIZE", "CANCELLED");
    expect(codes(await freeze(cancelled.id, FIRST))).toEqual(["PLAN_FINAL"]);
    const complete = await createPlanAt(app, "STRATEGIZE", "COMPLETE");
    expect(await freeze(complete.id, FIRST)).toMatchObject({ plan: { version: complete.version + 1 } });
    expect(await freeze("01ARZ3NDEKTSV4RRFFQ69G5FAV", FIRST)).toMatchObject({ code: "NOT_FOUND" });
  });

  it("may be rehearsed: the plan is shown as it would be, and stays as it is", async () => {
    const { id } = await createPlan(app);
    await freeze(id, FIRST);
    const query = `mutation($input: FreezeWorkflowPlanInput!) {
      freezeWorkflowPlan(input: $input) { ... on CommandSuccess { plan { ${FROZEN} } } }
    }`;
    const input = { planId: id, document: { json: SECOND }, dryRun: true };
    const { freezeWorkflowPlan } = await app.ask<{ freezeWorkflowPlan: { plan: Frozen } }>(query, { input });
    expect(freezeWorkflowPlan.plan).toMatchObject({
      version: 3,
      workflowPlan: { revision: 2, digest: digestOf(SECOND), itemCount: 2, workflow: "feature" },
      workflowPlanRevisions: [{ revision: 1 }, { revision: 2 }],
    });
    expect(await frozenOn(id)).toMatchObject({ version: 2, workflowPlan: { digest: digestOf(FIRST) } });
  });

  it("sent again under its key answers the first success, by text or as a value", async () => {
    const { id } = await createPlan(app);
    const idempotencyKey = `freeze ${id}`;
    const first = await freeze(id, FIRST, { idempotencyKey });
    await freeze(id, SECOND);
    const again = await run(app, "freezeWorkflowPlan", {
      planId: id,
      document: { text: JSON.stringify(FIRST) },
      idempotencyKey,
    });
    expect(again).toMatchObject({ cursor: first.cursor, plan: { version: 3 } });
    expect(await freeze(id, SECOND, { idempotencyKey })).toMatchObject({ code: "IDEMPOTENCY_CONFLICT" });
  });

  it("by several at once makes a revision of each, in order, or one that wins and conflicts", async () => {
    const { id } = await createPlan(app);
    const documents = Array.from({ length: 8 }, (_, index) => planWith([], { workflow: `w${index}` }));
    const outcomes = await Promise.all(documents.map((document) => freeze(id, document)));
    for (const outcome of outcomes) expect(outcome.__typename).toBe("FreezeWorkflowPlanSuccess");
    const { version, workflowPlanRevisions } = await frozenOn(id);
    expect(version).toBe(9);
    expect(workflowPlanRevisions.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(workflowPlanRevisions.map(({ digest }) => digest).sort()).toEqual(documents.map(digestOf).sort());
    expect((await historyOf(app, id)).slice(1).map(({ data }) => data)).toEqual(workflowPlanRevisions);

    const racing = await Promise.all(
      [FIRST, SECOND].map((document) => freeze(id, document, { expectedVersion: version })),
    );
    expect(racing.map(({ __typename }) => __typename).sort()).toEqual([
      "FreezeWorkflowPlanSuccess",
      "VersionConflict",
    ]);
  });

  it("binds the move to what was looked at", async () => {
    const { id } = await createPlanAt(app, "STRATEGIZE", "COMPLETE");
    const advance = (workflowDigest: string | undefined, to = "EXECUTE") =>
      run(app, "advancePlan", { planId: id, to, workflowDigest });
    expect(codes(await advance(digestOf(FIRST)))).toEqual(["WORKFLOW_CHANGED"]);
    await freeze(id, FIRST);
    expect(codes(await advance(digestOf(SECOND)))).toEqual(["WORKFLOW_CHANGED"]);
    expect(codes(await advance("", "APPLY"))).toEqual(["PHASE_ORDER", "WORKFLOW_CHANGED"]);
    expect(await advance(digestOf(FIRST))).toMatchObject({ plan: { phase: "EXECUTE" } });
    expect(codes(await advance(digestOf(SECOND), "APPLY"))).toEqual([
      "PHASE_NOT_COMPLETE",
      "WORKFLOW_CHANGED",
    ]);
  });

  it("leaves the dictionary of the command line as it was", async () => {
    const { id } = await createPlan(app);
    const keys = async () => {
      const { cliDict } = await readPlan<{ cliDict: object }>(app, id, "cliDict");
      return Object.keys(cliDict);
    };
    const before = await keys();
    await freeze(id, FIRST);
    expect(await keys()).toEqual(before);
  });

  it("lists many revisions part by part", async () => {
    const { id } = await createPlan(app);
    for (let index = 1; index <= 5; index += 1) await freeze(id, planWith([], { workflow: `w${index}` }));
    const listed = async (args: string) => {
      const { workflowPlanRevisions } = await readPlan<Frozen>(
        app,
        id,
        `workflowPlanRevisions${args} { revision }`,
      );
      return workflowPlanRevisions.map(({ revision }) => revision);
    };
    expect(await listed("")).toEqual([1, 2, 3, 4, 5]);
    expect(await listed("(first: 2)")).toEqual([1, 2]);
    expect(await listed("(first: 2, after: 3)")).toEqual([4, 5]);
    expect(await listed("(first: 2, after: 4)")).toEqual([5]);
    expect(await listed("(after: 5)")).toEqual([]);
    expect(await listed("(first: 0)")).toEqual([]);
    const { body } = await app.send(
      `{ plan(id: "${id}") { workflowPlanRevisions(first: 101) { revision } } }`,
    );
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(["BAD_USER_INPUT"]);
  });

  it.each([
    ["update", "UPDATE workflow_revision SET canonical_text = '{}'"],
    ["deletion", "DELETE FROM workflow_revision"],
    ["emptying", "TRUNCATE workflow_revision CASCADE"],
  ])("is final for the database too, which refuses an %s", async (_what, statement) => {
    const { id } = await createPlan(app);
    await succeed(app, "freezeWorkflowPlan", { planId: id, document: { json: FIRST } });
    await expect(restartAltered(app, [statement])).rejects.toThrow();
    app = await startTestApp(app.place);
    expect(await frozenOn(id)).toMatchObject({ workflowPlan: { digest: digestOf(FIRST) } });
  });

  it("is found out where the stored text was changed all the same", async () => {
    const { id } = await createPlan(app);
    const document = planWith([itemWith(cli)], { workflow: `unique ${id}` });
    await succeed(app, "freezeWorkflowPlan", { planId: id, document: { json: document } });
    app = await restartAltered(app, [
      "ALTER TABLE workflow_revision DISABLE TRIGGER USER",
      `UPDATE workflow_revision SET canonical_text = replace(canonical_text, 'npm', 'npx') WHERE plan_id = '${id}'`,
      "ALTER TABLE workflow_revision ENABLE TRIGGER USER",
    ]);
    const { body } = await app.send(`{ plan(id: "${id}") { id workflowPlan { digest canonicalText } } }`);
    expect(body.data).toEqual({ plan: { id, workflowPlan: null } });
    expect(body.errors).toMatchObject([{ extensions: { code: "INTERNAL_SERVER_ERROR" } }]);
    expect(JSON.stringify(body)).not.toContain(String(digestOf(document)));
    const { requestId } = body.errors?.[0]?.extensions ?? {};
    const line = app.lines.find((one) => one.requestId === requestId && one.err !== undefined);
    expect(JSON.stringify(line)).toContain(`workflow revision 1 of plan ${id}`);
    expect(await readPlan(app, id, "workflowPlan { digest itemCount }")).toEqual({
      workflowPlan: { digest: digestOf(document), itemCount: 1 },
    });
  });
});
