import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { openFeed, TRANSPORTS } from "../support/feeds.js";
import { openSocket, post } from "../support/http.js";
import { createPlan, createPlanAt, run, succeed } from "../support/plans.js";

/** JSON objects as texts, as a client may send them. */
const OBJECTS: Readonly<Record<string, string>> = {
  "look like operators of a database":
    '{"$type":"DateTime","value":"x","set":[1],"increment":1,"push":[{"$type":1}],"$ne":null}',
  "look like one operator only": '{"set":[1]}',
  "hold nulls and empty values":
    '{"a":null,"b":{"c":null,"d":[null,[null],{}]},"e":{},"f":[],"":"","g":false}',
  "are empty": "{}",
  "have names like places in a list":
    '{"b":1,"10":{"9":[1],"x":0,"1":0},"a":3,"2":4,"-1":5,"01":6,"4294967295":7}',
  "have names that objects inherit":
    '{"__proto__":{"x":1,"__proto__":null},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":[],"valueOf":{}}',
  "hold any number":
    '{"f":0.1,"e":1e-7,"tiny":5e-324,"max":1.7976931348623157e308,"big":9007199254740993,"huge":123456789012345678901234567890,"neg":-1.50,"exp":1E+2,"under":1e-400}',
  "hold zeros with a sign":
    '{"zero":0,"neg":-0,"fraction":-0.0,"exp":-0E5,"under":-1e-400,"list":[-0,[0,{"x":-0}],"-0"],"-0":1,"large":1E5,"small":0.1e-7}',
  "hold any text":
    '{"s":"\\u0001\\u001f\\"\\\\\\/\\b\\f\\n\\r\\t\\u2028\\u2029\\ufeff😀e\\u0301\\ud83d\\ude00","\\\\u0000":"\\\\u0000","$1":"$1 %s {0} \' -- ;"," ":" ","é":"é","😀":"\\u007f"}',
  "name one thing twice": '{"a":1,"b":2,"a":{"c":3,"c":4}}',
  "differ in case and form": '{"a":1,"A":2,"é":3,"é":4}',
  "are deep": `${'{"a":['.repeat(31)}{"end":1e3}${"]}".repeat(31)}`,
  "are large": JSON.stringify({
    text: "é".repeat(100_000),
    list: Array.from({ length: 2_000 }, (_, index) => index / 7),
  }),
};

const sent = (text: string): unknown => JSON.parse(text);
/** Equal, the zeros with their signs, with the same order of keys at every level. */
const same = (left: unknown, right: unknown) => exactly(left) === exactly(right);
const exactly = (value: unknown) =>
  JSON.stringify(value, (_key, member: unknown) => (Object.is(member, -0) ? "negative zero" : member));

describe.each(appHomes)("JSON in a plan ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    // Without room in memory, what is answered was stored.
    app = await start({ environment: { PHASELINE_CACHE_BYTES: "1024" } });
  });
  afterAll(() => app.close());

  /** Sends variables whose objects are written exactly so. */
  async function ask<Data>(query: string, variables: string): Promise<Data> {
    const { body } = await post(app.endpoint, `{"query":${JSON.stringify(query)},"variables":${variables}}`);
    expect(body.errors).toBeUndefined();
    return body.data as Data;
  }

  const JSON_FIELDS =
    "arguments argumentsOrder effectiveProfileSnapshot validationSummary estimate errorDetails cliDict cliJson";

  it.each(Object.entries(OBJECTS))(
    "comes back as JSON.parse reads it where its members %s",
    async (_, text) => {
      const create = `mutation($input: CreatePlanInput!) { createPlan(input: $input) { ... on CommandSuccess { plan { id arguments argumentsOrder effectiveProfileSnapshot } } } }`;
      const facts = '"actionName":"a","projectLinks":[{"projectName":"p"}]';
      const { createPlan: created } = await ask<{
        createPlan: { plan: Record<string, unknown> & { id: string } };
      }>(create, `{"input":{${facts},"arguments":${text},"effectiveProfileSnapshot":${text}}}`);
      const keys = Object.keys(sent(text) as object);
      expect(same(created.plan.arguments, sent(text))).toBe(true);
      expect(created.plan.argumentsOrder).toEqual(keys);
      const { id } = created.plan;
      await succeed(app, "startPhase", { planId: id });
      const mutations = `mutation($record: RecordArtifactsInput!, $fail: FailPhaseInput!) {
      recordArtifacts(input: $record) { __typename } failPhase(input: $fail) { __typename } }`;
      const outcome = await ask(
        mutations,
        `{"record":{"planId":"${id}","validationSummary":${text},"estimate":${text}},"fail":{"planId":"${id}","message":"m","details":${text}}}`,
      );
      expect(outcome).toEqual({
        recordArtifacts: { __typename: "RecordArtifactsSuccess" },
        failPhase: { __typename: "FailPhaseSuccess" },
      });
      interface Read {
        readonly plan: Readonly<Record<string, unknown>> & {
          readonly cliDict: Record<string, unknown>;
          readonly cliJson: string;
          readonly events: {
            readonly edges: readonly { readonly node: { readonly data: Record<string, unknown> } }[];
          };
        };
      }
      const { plan } = await app.ask<Read>(
        `query($id: ULID!) { plan(id: $id) { ${JSON_FIELDS} events(last: 2) { edges { node { data } } } } }`,
        { id },
      );
      for (const field of [
        "arguments",
        "effectiveProfileSnapshot",
        "validationSummary",
        "estimate",
        "errorDetails",
      ])
        expect(same(plan[field], sent(text)), field).toBe(true);
      const [recorded, failed] = plan.events.edges.map(({ node }) => node.data);
      expect(same(recorded?.validationSummary, sent(text)) && same(recorded?.estimate, sent(text))).toBe(
        true,
      );
      expect(same(failed?.details, sent(text))).toBe(true);
      const inDictionary = keys.length === 0 ? undefined : sent(text);
      for (const key of ["arguments", "validation_summary", "error_details"])
        expect(same(plan.cliDict[key], inDictionary), key).toBe(true);
      expect(same(JSON.parse(plan.cliJson), plan.cliDict)).toBe(true);
    },
  );

  it("keeps the sign of a zero in every form of an answer", async () => {
    const { id } = await createPlanAt(app, "STRATEGIZE", "PROCESSING");
    const { asOf } = await app.ask<{ asOf: string }>("{ asOf }");
    const document = `mutation { failPhase(input: { planId: "${id}", message: "m", details: { zero: -0 } }) { __typename } }`;
    await app.ask(document);

    const query = `{ plan(id: "${id}") { errorDetails cliJson } }`;
    const shown = {
      errorDetails: { zero: -0 },
      cliJson: expect.stringContaining('"error_details":{"zero":-0}'),
    };
    expect(await app.ask(query)).toEqual({ plan: shown });
    const byUrl = await fetch(`${app.endpoint}?query=${encodeURIComponent(query)}`, {
      headers: { "x-phaseline-csrf": "1" },
    });
    expect(await byUrl.json()).toEqual({ data: { plan: shown } });
    const socket = await openSocket(app.endpoint);
    socket.send({ id: "one", type: "subscribe", payload: { query } });
    expect((await socket.next()).payload).toEqual({ data: { plan: shown } });
    socket.socket.terminate();
    for (const transport of TRANSPORTS) {
      const feed = await openFeed(app.endpoint, transport, { after: asOf, filter: { planIds: [id] } });
      expect((await feed.event()).data).toEqual({ message: "m", details: { zero: -0 } });
      feed.drop();
    }
  });

  it("comes back as it is written in the document itself", async () => {
    const query = `mutation($x: JSON, $none: JSON, $constructor: JSON, $list: [Int!]) {
      createPlan(input: { actionName: "a", projectLinks: { projectName: "p" }, arguments: {
        __proto__: { a: 1 }, constructor: null, toString: [], int: -5, big: 9007199254740993, fraction: 0.1, exp: 1.5e3,
        text: "\\u00e9 \\"q\\" \\\\u0000 😀", block: """
          two
            lines
        """, yes: true, word: ENUM, empty: {}, nested: { list: [1, [null, { deep: $x }], $x] }, x: $x, none: $none,
        given: $constructor, list: $list
      } }) { ... on CommandSuccess { plan { arguments argumentsOrder } } } }`;
    const { createPlan: created } = await ask<{
      createPlan: { plan: { arguments: object; argumentsOrder: string[] } };
    }>(query, '{"x":{"__proto__":[0.5],"10":null},"list":[1,2]}');
    const expected = `{"__proto__":{"a":1},"constructor":null,"toString":[],"int":-5,"big":9007199254740992,"fraction":0.1,"exp":1500,
      "text":"é \\"q\\" \\\\u0000 😀","block":"two\\n  lines","yes":true,"word":"ENUM","empty":{},
      "nested":{"list":[1,[null,{"deep":{"10":null,"__proto__":[0.5]}}],{"10":null,"__proto__":[0.5]}]},
      "x":{"10":null,"__proto__":[0.5]},"none":null,"given":null,"list":[1,2]}`;
    expect(JSON.stringify(created.plan.arguments)).toBe(JSON.stringify(sent(expected)));
    expect(created.plan.argumentsOrder).toEqual(Object.keys(sent(expected) as object));
  });

  it("tells absent, null and empty apart where they differ, and takes null for absent", async () => {
    const read = async (facts: object) => {
      const { id } = await createPlan(app, facts);
      const query =
        "query($id: ULID!) { plan(id: $id) { arguments argumentsOrder effectiveProfileSnapshot } }";
      return (await app.ask<{ plan: object }>(query, { id })).plan;
    };
    const none = { arguments: {}, argumentsOrder: [], effectiveProfileSnapshot: null };
    expect(await read({})).toEqual(none);
    expect(await read({ arguments: null, argumentsOrder: null, effectiveProfileSnapshot: null })).toEqual(
      none,
    );
    expect(await read({ arguments: {}, argumentsOrder: [], effectiveProfileSnapshot: {} })).toEqual({
      ...none,
      effectiveProfileSnapshot: {},
    });
  });

  it("keeps the order that the client gives, also where objects cannot", async () => {
    const args = '{"b":1,"10":{"2":0,"x":1},"__proto__":null,"a":3,"2":[4]}';
    const order = ["a", "10", "__proto__", "2", "b"];
    const { createPlan: created } = await ask<{
      createPlan: { plan: { arguments: object; argumentsOrder: string[]; cliJson: string } };
    }>(
      `mutation($input: CreatePlanInput!) { createPlan(input: $input) { ... on CommandSuccess { plan { arguments argumentsOrder cliJson } } } }`,
      `{"input":{"actionName":"a","projectLinks":[{"projectName":"p"}],"arguments":${args},"argumentsOrder":${JSON.stringify(order)}}}`,
    );
    expect(created.plan.argumentsOrder).toEqual(order);
    expect(created.plan.arguments).toEqual(sent(args));
    expect(created.plan.cliJson).toContain(
      '"arguments":{"a":3,"10":{"2":0,"x":1},"__proto__":null,"2":[4],"b":1}',
    );
  });

  it.each([
    ['{"a":"\\u0000"}', "arguments.a", "NOT_STORABLE"],
    ['{"a":[{"\\ud800":1}]}', 'arguments.a[0]["\\ud800"]', "NOT_STORABLE"],
    ['{"\\u0000":1}', 'arguments["\\u0000"]', "NOT_STORABLE"],
    ['{"__proto__":{"x":"\\udc00"}}', "arguments.__proto__.x", "NOT_STORABLE"],
    ['{"a":1e999}', "arguments.a", "OUT_OF_RANGE"],
    ["[1]", "arguments", "WRONG_TYPE"],
    ['"{}"', "arguments", "WRONG_TYPE"],
    ["5", "arguments", "WRONG_TYPE"],
    [`${'{"a":'.repeat(65)}1${"}".repeat(65)}`, `arguments${".a".repeat(64)}`, "TOO_LARGE"],
    [JSON.stringify({ text: "é".repeat(140_000) }), "arguments", "TOO_LARGE"],
  ])("is refused where it cannot be kept (%#)", async (text, path, code) => {
    const query = `mutation($input: CreatePlanInput!) { createPlan(input: $input) { __typename ... on InvalidInput { issues { path code } } } }`;
    const { createPlan: refused } = await ask<{ createPlan: object }>(
      query,
      `{"input":{"actionName":"a","projectLinks":[{"projectName":"p"}],"arguments":${text}}}`,
    );
    expect(refused).toEqual({ __typename: "InvalidInput", issues: [{ path, code }] });
  });

  describe("the command-line dictionary", () => {
    const DICTIONARY = "query($id: ULID!) { plan(id: $id) { id cliDict cliJson } }";
    interface Read {
      readonly plan: { readonly cliDict: Record<string, unknown>; readonly cliJson: string };
    }
    /** In the order of domain.md §6. */
    const ALL =
      `plan_id name action_name phase state description definition_of_done projects automation_profile automation_level
      strategy_actor execution_actor estimation_actor invariant_actor arguments invariants changeset_id sandbox_refs
      validation_summary decision_root_id error_message error_details tags created_at updated_at strategize_started_at
      strategize_completed_at execute_started_at execute_completed_at apply_started_at apply_completed_at applied_at cancelled_at
      parent_plan_id root_plan_id`.split(/\s+/);

    it("of a plan with only what is required has what is always there, in its order", async () => {
      const { id } = await createPlan(app);
      const { plan } = await app.ask<Read>(DICTIONARY, { id });
      const keys = ALL.filter((key) => Object.keys(plan.cliDict).includes(key));
      expect(Object.keys(plan.cliDict)).toEqual(keys);
      expect(keys).toEqual([
        "plan_id",
        "name",
        "action_name",
        "phase",
        "state",
        "description",
        "projects",
        "automation_level",
        "created_at",
        "updated_at",
      ]);
      expect(plan.cliJson).toBe(JSON.stringify(plan.cliDict));
    });

    it("of a plan with every field set has every key, in its order", async () => {
      const parent = await createPlan(app);
      const everything = {
        name: "n",
        description: "d",
        definitionOfDone: "done",
        projectLinks: [
          { projectName: "p", alias: "one", readOnly: true },
          { projectName: "p", alias: "two" },
        ],
        automationLevel: "MANUAL",
        automationProfileName: "careful",
        effectiveProfileSnapshot: { a: 1 },
        invariants: [{ text: "i", scope: "GLOBAL", sourceName: "s", nonOverridable: true }, { text: "j" }],
        arguments: { z: 1, a: [null] },
        strategyActor: "s",
        executionActor: "e",
        estimationActor: "t",
        invariantActor: "i",
        tags: ["t"],
        parentPlanId: parent.id,
      };
      const artifacts = {
        changesetId: "c",
        sandboxRefs: ["r"],
        validationSummary: { ok: true },
        estimate: { h: 1 },
        decisionRootId: parent.id,
      };
      const errored = await createPlanAt(app, "APPLY", "PROCESSING", everything);
      await succeed(app, "recordArtifacts", { planId: errored.id, ...artifacts });
      await succeed(app, "failPhase", { planId: errored.id, message: "m", details: { e: 1 } });
      await succeed(app, "cancelPlan", { planId: errored.id });
      const cancelled = (await app.ask<Read>(DICTIONARY, { id: errored.id })).plan;
      const never = ["apply_completed_at", "applied_at"];
      expect(Object.keys(cancelled.cliDict)).toEqual(ALL.filter((key) => !never.includes(key)));
      expect(cancelled.cliJson).toBe(JSON.stringify(cancelled.cliDict));
      expect(cancelled.cliDict).toMatchObject({
        phase: "apply",
        state: "cancelled",
        automation_level: "manual",
        projects: [
          { project_name: "local/p", alias: "one", read_only: true },
          { project_name: "local/p", alias: "two" },
        ],
        invariants: [
          { text: "i", scope: "global", source_name: "s" },
          { text: "j", scope: "plan" },
        ],
        parent_plan_id: parent.id,
        root_plan_id: parent.id,
      });
      const applied = await createPlanAt(app, "APPLIED", "COMPLETE", everything);
      const { plan } = await app.ask<Read>(DICTIONARY, { id: applied.id });
      const times = ALL.filter((key) => key.endsWith("_at") && key !== "cancelled_at");
      expect(Object.keys(plan.cliDict).filter((key) => key.endsWith("_at"))).toEqual(times);
      for (const key of times) expect(plan.cliDict[key]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });
  });

  it("merges what is reported in parts by top-level key, inherited names included", async () => {
    const { id } = await createPlanAt(app, "STRATEGIZE", "PROCESSING");
    for (const summary of ['{"a":{"x":1},"__proto__":1,"b":2}', '{"__proto__":{"y":2},"a":{"z":1}}'])
      await ask(
        "mutation($input: RecordArtifactsInput!) { recordArtifacts(input: $input) { __typename } }",
        `{"input":{"planId":"${id}","validationSummary":${summary}}}`,
      );
    const { plan } = await app.ask<{ plan: { validationSummary: object } }>(
      "query($id: ULID!) { plan(id: $id) { validationSummary } }",
      { id },
    );
    expect(JSON.stringify(plan.validationSummary)).toBe('{"a":{"z":1},"__proto__":{"y":2},"b":2}');
  });

  it("is told apart by an idempotency key down to the last key", async () => {
    const input = { actionName: "a", projectLinks: [{ projectName: "p" }], idempotencyKey: "json" };
    const first = await run(app, "createPlan", { ...input, arguments: { a: { b: null } } });
    expect((await run(app, "createPlan", { ...input, arguments: { a: { b: null } } })).plan.id).toBe(
      first.plan.id,
    );
    expect((await run(app, "createPlan", { ...input, arguments: { a: {} } })).code).toBe(
      "IDEMPOTENCY_CONFLICT",
    );
  });
});
