import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { post } from "../support/http.js";
import { createPlan, createPlanAt, run, succeed } from "../support/plans.js";

/** What texts survive as they are; none is trimmed, folded or taken for anything else. */
const TEXTS = [
  "😀 e\u0301 é \u200b \ufeff \u2028",
  "the text \\u0000, and \\ud800",
  " \t\n\r\u0001\u007f ",
  'it\'s -- "q" \\ $1 {x} %s `c` </script>',
  "{1,2}",
  "null",
];
const UNKEEPABLE = ["a\u0000b", "\ud800", "\udc00x", "😀\ud83d"];

describe.each(appHomes)("the texts of a plan ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  const read = async (id: string) =>
    (
      await app.ask<{ plan: Record<string, unknown> }>(
        `query($id: ULID!) { plan(id: $id) {
          description definitionOfDone tags changesetId sandboxRefs errorMessage cancelReason
          invariants { text sourceName } events(first: 100) { edges { node { type data to { tags } } } } cliDict
        } }`,
        { id },
      )
    ).plan;

  it.each(TEXTS)("are kept exactly: %j", async (text) => {
    const { id: planId } = await createPlan(app, {
      description: text,
      definitionOfDone: text,
      tags: [`t${text}`.slice(0, 60)],
      invariants: [{ text: `i${text}`, sourceName: `s${text}` }],
    });
    await succeed(app, "startPhase", { planId });
    await succeed(app, "recordArtifacts", {
      planId,
      changesetId: `c${text}`,
      sandboxRefs: [`r${text}`, "r", `r${text}`],
    });
    await succeed(app, "failPhase", { planId, message: `m${text}` });
    await succeed(app, "setTags", { planId, tags: ["b", `t${text}`, "a", "b"] });
    await succeed(app, "addInvariant", { planId, invariant: { text: `j${text}` } });
    await succeed(app, "cancelPlan", { planId, reason: text, idempotencyKey: `k${text}` });
    const plan = await read(planId);
    expect(plan).toMatchObject({
      description: text,
      definitionOfDone: text,
      tags: ["b", `t${text}`, "a"],
      changesetId: `c${text}`,
      sandboxRefs: [`r${text}`, "r"],
      errorMessage: `m${text}`,
      cancelReason: text,
      invariants: [
        { text: `i${text}`, sourceName: `s${text}` },
        { text: `j${text}`, sourceName: null },
      ],
      cliDict: {
        description: text,
        definition_of_done: text,
        tags: ["b", `t${text}`, "a"],
        error_message: `m${text}`,
      },
    });
    expect(JSON.stringify(plan.events)).toContain(JSON.stringify(`m${text}`).slice(1, -1));
    const { plans } = await app.ask<{ plans: { edges: object[] } }>(
      "query($tags: TagFilter) { plans(filter: { tags: $tags }) { edges { node { id } } } }",
      { tags: { any: [`t${text}`], all: ["a", "b"] } },
    );
    expect(plans.edges).toEqual([{ node: { id: planId } }]);
  });

  it.each(UNKEEPABLE)("are refused with every path, and nothing is written: %j", async (text) => {
    const outcome = await run(app, "createPlan", {
      name: text,
      actionName: text,
      description: text,
      definitionOfDone: text,
      projectLinks: [{ projectName: text, alias: text }],
      automationProfileName: text,
      invariants: [{ text, sourceName: text }],
      arguments: { [text]: text },
      effectiveProfileSnapshot: { a: [text] },
      strategyActor: text,
      tags: ["ok", text],
      parentPlanId: text,
      idempotencyKey: text,
    });
    const key = JSON.stringify(text);
    const storable = [
      "description",
      "definitionOfDone",
      "invariants[0].text",
      "invariants[0].sourceName",
      `arguments[${key}]`,
      `arguments[${key}]`,
      "effectiveProfileSnapshot.a[0]",
      "tags[1]",
      "idempotencyKey",
    ];
    const named = [
      "name",
      "actionName",
      "projectLinks[0].projectName",
      "projectLinks[0].alias",
      "automationProfileName",
      "strategyActor",
      "parentPlanId",
    ];
    const faults = outcome.issues?.map(({ path, code }) => `${path}: ${code}`).sort();
    expect(faults).toEqual(
      [
        ...storable.map((path) => `${path}: NOT_STORABLE`),
        ...named.map((path) => `${path}: MALFORMED`),
      ].sort(),
    );

    const { id: planId, version } = await createPlanAt(app, "STRATEGIZE", "PROCESSING");
    const refused = await Promise.all([
      run(app, "failPhase", { planId, message: text, details: { a: text } }),
      run(app, "cancelPlan", { planId, reason: text }),
      run(app, "completePhase", {
        planId,
        note: text,
        changesetId: text,
        sandboxRefs: ["a", text],
        validationSummary: { [text]: 1 },
      }),
      run(app, "setTags", { planId, tags: [text] }),
      run(app, "addInvariant", { planId, invariant: { text, sourceName: text } }),
    ]);
    expect(refused.map(({ issues }) => issues?.map(({ path }) => path))).toEqual([
      ["message", "details.a"],
      ["reason"],
      ["changesetId", "sandboxRefs[1]", `validationSummary[${key}]`, "note"],
      ["tags[0]"],
      ["invariant.text", "invariant.sourceName"],
    ]);
    const { plan } = await app.ask<{ plan: object }>("query($id: ULID!) { plan(id: $id) { version } }", {
      id: planId,
    });
    expect(plan).toEqual({ version });
  });

  it("are refused in a document as in variables", async () => {
    const body = (text: string) =>
      JSON.stringify({
        query: `mutation { createPlan(input: { actionName: "a", projectLinks: [{ projectName: "p" }], description: "${text}", arguments: { a: "${text}" } }) { __typename ... on InvalidInput { issues { path } } ... on CommandSuccess { plan { description arguments } } } }`,
      });
    const refused = await post(app.endpoint, body("\\u0000"));
    expect(refused.body.data).toEqual({
      createPlan: { __typename: "InvalidInput", issues: [{ path: "description" }, { path: "arguments.a" }] },
    });
    const kept = await post(app.endpoint, body("\\\\u0000 😀"));
    expect(kept.body.data).toMatchObject({
      createPlan: { plan: { description: "\\u0000 😀", arguments: { a: "\\u0000 😀" } } },
    });
    for (const lone of ["\\ud800", "\\u{D800}"]) {
      const { body: answer } = await post(app.endpoint, body(lone));
      expect(JSON.stringify(answer)).toMatch(/GRAPHQL_PARSE_FAILED|"InvalidInput"/);
    }
  });

  it("allow no twins among aliases, by case or by form", async () => {
    const links = (...aliases: string[]) => ({
      actionName: "a",
      projectLinks: aliases.map((alias, index) => ({ projectName: `p${index}`, alias })),
    });
    const twin = await run(app, "createPlan", links("Web", "other", "wEB"));
    expect(twin.issues).toEqual([
      {
        path: "projectLinks[2].alias",
        code: "DUPLICATE",
        message: expect.stringMatching(/projectLinks\[0\].*projectLinks\[2\]/),
      },
    ]);
    for (const alias of [
      "\u0130",
      "\u0131",
      "e\u0301",
      "\u00e9",
      "\u212a",
      " web",
      "web ",
      "web\u200b",
      "ＷＥＢ",
      "",
    ]) {
      const refused = await run(app, "createPlan", links("i", alias));
      expect(
        refused.issues?.map(({ path, code }) => [path, code]),
        alias,
      ).toEqual([["projectLinks[1].alias", "MALFORMED"]]);
    }
    const { id } = await createPlan(app, links("Web", "web-1", "WEB_1"));
    const { plan } = await app.ask<{ plan: object }>(
      "query($id: ULID!) { plan(id: $id) { projectLinks { alias projectName readOnly } } }",
      { id },
    );
    expect(plan).toEqual({
      projectLinks: ["web", "web-1", "web_1"].map((alias, index) => ({
        alias,
        projectName: `local/p${index}`,
        readOnly: false,
      })),
    });
  });

  it("tell names apart by nothing but their letters", async () => {
    for (const name of [
      "\u212aelvin",
      "\u0130",
      "caf\u00e9",
      "cafe\u0301",
      "a b",
      "a//b",
      "/a",
      "a:b",
      ":a/b",
      "h:a",
      "a/",
      "",
      "a\n",
    ]) {
      const refused = await run(app, "createPlan", {
        actionName: name,
        projectLinks: [{ projectName: "p" }],
      });
      expect(
        refused.issues?.map(({ path }) => path),
        name,
      ).toEqual(["actionName"]);
    }
    const { id } = await createPlan(app, { name: "HUB.Example:Team/Do-It", actionName: "REVIEW" });
    const { plan } = await app.ask<{ plan: object }>(
      "query($id: ULID!) { plan(id: $id) { name actionName } }",
      { id },
    );
    expect(plan).toEqual({ name: "hub.example:team/do-it", actionName: "local/review" });
  });

  it("of invariants can be seen, and keep their places for ever", async () => {
    const { id: planId } = await createPlan(app, {
      invariants: [{ text: "first" }, { text: "second", scope: "GLOBAL" }],
    });
    for (const text of ["", " ", "\u200b", "\u200b\u2060\ufeff", "\u00ad", "\u3164", "\n\t", "\u2800"]) {
      const refused = await run(app, "addInvariant", { planId, invariant: { text } });
      expect(
        refused.issues?.map(({ path, code }) => [path, code]),
        JSON.stringify(text),
      ).toEqual([["invariant.text", "BLANK"]]);
    }
    const forbidden = await run(app, "addInvariant", {
      planId,
      invariant: { text: "x", nonOverridable: true },
    });
    expect(forbidden.issues?.map(({ path }) => path)).toEqual(["invariant.nonOverridable"]);
    for (const text of ["\u200bthird", "first", " e\u0301 ", "\u00e9"])
      await succeed(app, "addInvariant", { planId, invariant: { text } });
    await succeed(app, "startPhase", { planId });
    await succeed(app, "completePhase", { planId });
    await succeed(app, "cancelPlan", { planId });
    const final = await run(app, "addInvariant", { planId, invariant: { text: "late" } });
    expect(final.code).toBe("TRANSITION_REJECTED");
    const { plan } = await app.ask<{
      plan: {
        invariants: { text: string }[];
        effectiveInvariants: { invariant: { text: string }; shadows: { text: string }[] }[];
      };
    }>(
      "query($id: ULID!) { plan(id: $id) { invariants { text } effectiveInvariants { invariant { text } shadows { text } } } }",
      { id: planId },
    );
    expect(plan.invariants.map(({ text }) => text)).toEqual([
      "first",
      "second",
      "\u200bthird",
      "first",
      " e\u0301 ",
      "\u00e9",
    ]);
    expect(plan.effectiveInvariants).toEqual([
      { invariant: { text: "first" }, shadows: [{ text: "first" }] },
      { invariant: { text: "\u200bthird" }, shadows: [] },
      { invariant: { text: " e\u0301 " }, shadows: [{ text: "\u00e9" }] },
      { invariant: { text: "second" }, shadows: [] },
    ]);
  });

  it("are measured in code points", async () => {
    const create = (facts: object) =>
      run(app, "createPlan", { actionName: "a", projectLinks: [{ projectName: "p" }], ...facts });
    const most = {
      description: "😀".repeat(20_000),
      tags: ["😀".repeat(64)],
      invariants: [{ text: "😀".repeat(4_000) }],
    };
    const { plan } = await create(most);
    expect(await read(plan.id)).toMatchObject(most);
    const tooMuch = await create({
      description: "😀".repeat(20_001),
      tags: ["😀".repeat(65)],
      invariants: [{ text: "😀".repeat(4_001) }],
    });
    expect(tooMuch.issues?.map(({ path, code }) => [path, code])).toEqual([
      ["description", "TOO_LONG"],
      ["invariants[0].text", "TOO_LONG"],
      ["tags[0]", "TOO_LONG"],
    ]);
  });

  it("of the actor are a name, or nothing is done", async () => {
    const input = { actionName: "a", projectLinks: [{ projectName: "p" }] };
    const query =
      "mutation($input: CreatePlanInput!) { createPlan(input: $input) { ... on CommandSuccess { plan { events { edges { node { actor } } } } } } }";
    const actorOf = async (headers: Record<string, string>) => {
      const { createPlan: created } = await app.ask<{
        createPlan: { plan: { events: { edges: { node: { actor: string } }[] } } };
      }>(query, { input }, headers);
      return created.plan.events.edges[0]?.node.actor;
    };
    expect(await actorOf({})).toBe("local/anonymous");
    expect(await actorOf({ "x-phaseline-actor": "HUB.example:Team/Ada" })).toBe("hub.example:team/ada");
    const before = (await app.ask<{ planCounts: object }>("{ planCounts { total } }")).planCounts;
    for (const actor of ["not a name", "a//b", "a".repeat(65), "\u00e9"]) {
      for (const asked of [query, "query { asOf }"]) {
        const { body } = await app.send(asked, { input }, { "x-phaseline-actor": actor });
        expect(
          body.errors?.map(({ extensions }) => extensions.code),
          actor,
        ).toEqual(["BAD_USER_INPUT"]);
        expect(body.data ?? null).toBeNull();
      }
    }
    expect((await app.ask<{ planCounts: object }>("{ planCounts { total } }")).planCounts).toEqual(before);
  });
});
