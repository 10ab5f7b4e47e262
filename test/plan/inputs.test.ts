import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toInputIssues } from "../../src/plan/input-issues.js";
import { commandSchemas, createPlanSchema } from "../../src/plan/inputs.js";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const LINK = { projectName: "web" };
const minimal = { actionName: "review", projectLinks: [LINK] };

/** The path and code of every issue, in a fixed order. */
const namesOf = (error: z.ZodError | undefined) =>
  error === undefined
    ? []
    : toInputIssues(error)
        .map(({ path, code }) => `${path}: ${code}`)
        .sort();
const faults = (schema: z.ZodType, input: unknown) => namesOf(schema.safeParse(input).error);
/** The same where a schema takes its time, as a document does. */
const faultsInTime = async (schema: z.ZodType, input: unknown) =>
  namesOf((await schema.safeParseAsync(input)).error);
const ofCreation = (fields: object) => faults(createPlanSchema, { ...minimal, ...fields });
const json = (text: string): unknown => JSON.parse(text);

describe("the input of createPlan", () => {
  it("needs an action and a project, and takes null for what is not given", () => {
    expect(ofCreation({})).toEqual([]);
    const optional = Object.keys(createPlanSchema.shape).filter((key) => !(key in minimal));
    expect(ofCreation(Object.fromEntries(optional.map((key) => [key, null])))).toEqual([]);
    expect(faults(createPlanSchema, {})).toEqual(["actionName: WRONG_TYPE", "projectLinks: WRONG_TYPE"]);
  });

  it("may be as large as the limits allow", () => {
    expect(
      ofCreation({
        name: "Hub:Team/Plan",
        description: "😀".repeat(20_000),
        projectLinks: Array.from({ length: 100 }, (_, n) => ({ projectName: "web", alias: `A${n}` })),
        invariants: Array(500).fill({ text: "x".repeat(4_000), sourceName: "s".repeat(256) }),
        tags: Array.from({ length: 64 }, (_, n) => "😀".repeat(62) + String(10 + n)),
        arguments: { a: "x".repeat(256 * 1024 - '{"a":""}'.length) },
        parentPlanId: ID.toLowerCase(),
        idempotencyKey: "k".repeat(256),
      }),
    ).toEqual([]);
  });

  it("passes through unchanged", () => {
    const input = {
      ...minimal,
      actionName: "Review",
      arguments: json('{"__proto__":{"x":1},"constructor":[1],"2":null}'),
      tags: ["b", "a", "b"],
    };
    expect(createPlanSchema.parse(input)).toStrictEqual(input);
    expect(createPlanSchema.parse(input).arguments).toBe(input.arguments);
  });

  it("reports every fault of every field at once", () => {
    expect(
      faults(createPlanSchema, {
        name: "not a name",
        actionName: "İ",
        description: "x".repeat(20_001),
        definitionOfDone: "\u0000",
        projectLinks: [
          { projectName: "a/b/c", alias: " ui" },
          { projectName: "web", alias: "X" },
          { projectName: "Web" },
          { projectName: "api", alias: "x" },
        ],
        automationLevel: "FULL",
        automationProfileName: "",
        effectiveProfileSnapshot: ["a"],
        invariants: [
          { text: "\u200B" },
          { text: "ok", scope: "PLAN", nonOverridable: true },
          { text: "x".repeat(4_001), sourceName: " " },
        ],
        arguments: json('{"a b":["\\u0000"],"n":1e999,"\\ud800":1}'),
        argumentsOrder: ["n", "n", "other"],
        strategyActor: "-a",
        executionActor: "a b",
        estimationActor: "\uD800",
        invariantActor: "a:b",
        tags: ["", "x".repeat(65), "ok"],
        parentPlanId: `8${ID.slice(1)}`,
        idempotencyKey: " ",
        dryRun: "yes",
      }),
    ).toEqual(
      [
        "name: MALFORMED",
        "actionName: MALFORMED",
        "description: TOO_LONG",
        "definitionOfDone: NOT_STORABLE",
        "projectLinks[0].projectName: MALFORMED",
        "projectLinks[0].alias: MALFORMED",
        "projectLinks[2].projectName: DUPLICATE",
        "projectLinks[3].alias: DUPLICATE",
        "automationLevel: NOT_ALLOWED",
        "automationProfileName: MALFORMED",
        "effectiveProfileSnapshot: WRONG_TYPE",
        "invariants[0].text: BLANK",
        "invariants[1].nonOverridable: NOT_ALLOWED",
        "invariants[2].text: TOO_LONG",
        "invariants[2].sourceName: BLANK",
        'arguments["a b"][0]: NOT_STORABLE',
        "arguments.n: OUT_OF_RANGE",
        'arguments["\\ud800"]: NOT_STORABLE',
        "argumentsOrder[1]: DUPLICATE",
        "argumentsOrder[2]: NOT_ALLOWED",
        "argumentsOrder: TOO_FEW",
        "strategyActor: MALFORMED",
        "executionActor: MALFORMED",
        "estimationActor: MALFORMED",
        "invariantActor: MALFORMED",
        "tags[0]: BLANK",
        "tags[1]: TOO_LONG",
        "parentPlanId: MALFORMED",
        "idempotencyKey: BLANK",
        "dryRun: WRONG_TYPE",
      ].sort(),
    );
  });

  it("is checked by type too, because free scalars let any value through", () => {
    expect(
      ofCreation({ arguments: "text", effectiveProfileSnapshot: 1, parentPlanId: 7, idempotencyKey: {} }),
    ).toEqual([
      "arguments: WRONG_TYPE",
      "effectiveProfileSnapshot: WRONG_TYPE",
      "idempotencyKey: WRONG_TYPE",
      "parentPlanId: WRONG_TYPE",
    ]);
    expect(faults(createPlanSchema, null)).toEqual([": WRONG_TYPE"]);
  });
});

describe("project links", () => {
  const links = (...projectLinks: unknown[]) => ofCreation({ projectLinks });

  it("are one to a hundred", () => {
    const many = Array.from({ length: 101 }, (_, n) => ({ projectName: `p${n}` }));
    expect(links()).toEqual(["projectLinks: TOO_FEW"]);
    expect(links(...many)).toEqual(["projectLinks: TOO_MANY"]);
  });

  it("refuse equal aliases after lower-casing, naming both positions", () => {
    const result = createPlanSchema.safeParse({
      ...minimal,
      projectLinks: [
        { projectName: "a", alias: "UI" },
        { projectName: "b" },
        { projectName: "c", alias: "ui" },
      ],
    });
    expect(toInputIssues(result.error as z.ZodError)).toEqual([
      {
        path: "projectLinks[2].alias",
        code: "DUPLICATE",
        message: "projectLinks[0] and projectLinks[2] have the same alias.",
      },
    ]);
  });

  it("refuse an alias that only looks like another one", () => {
    for (const alias of ["İ", "ı", "\u212A", "caf\u00E9", "cafe\u0301", "ui ", "__proto__", ""]) {
      expect(links({ projectName: "a", alias })).toEqual(["projectLinks[0].alias: MALFORMED"]);
    }
  });

  it("take one project twice only where both have an alias", () => {
    expect(links({ projectName: "a", alias: "x" }, { projectName: "local/A", alias: "constructor" })).toEqual(
      [],
    );
    expect(links({ projectName: "a", alias: "x" }, { projectName: "local/A" })).toEqual([
      "projectLinks[1].projectName: DUPLICATE",
    ]);
    expect(links({ projectName: "a" }, { projectName: "A", alias: "x" })).toEqual([
      "projectLinks[1].projectName: DUPLICATE",
    ]);
  });
});

describe("invariants", () => {
  it("are nonOverridable with GLOBAL only, also where another field is faulty", () => {
    const given = (invariant: object) => ofCreation({ invariants: [invariant] });
    expect(given({ text: "a", scope: "GLOBAL", nonOverridable: true })).toEqual([]);
    expect(given({ text: 1, nonOverridable: true })).toEqual([
      "invariants[0].nonOverridable: NOT_ALLOWED",
      "invariants[0].text: WRONG_TYPE",
    ]);
  });

  it("are at most 500", () => {
    expect(ofCreation({ invariants: Array(501).fill({ text: "a" }) })).toEqual(["invariants: TOO_MANY"]);
  });
});

describe("arguments", () => {
  it("are refused when they are over 256 KiB of UTF-8", () => {
    expect(ofCreation({ arguments: { a: "x".repeat(256 * 1024) } })).toEqual(["arguments: TOO_LARGE"]);
    expect(ofCreation({ arguments: { a: "é".repeat(130 * 1024) } })).toEqual(["arguments: TOO_LARGE"]);
  });

  it("are refused when they are nested too deep to be written", () => {
    let deep: unknown = null;
    for (let depth = 0; depth < 100_000; depth += 1) deep = { n: deep };
    expect(ofCreation({ arguments: { deep } }).join()).toMatch(/^arguments\.deep(\.n)+: TOO_LARGE$/);
  });

  it.each([
    [{ b: 1, "2": 2 }, ["b", "2"], []],
    [null, [], []],
    [{}, ["a"], ["argumentsOrder[0]: NOT_ALLOWED"]],
    [undefined, ["a"], ["argumentsOrder[0]: NOT_ALLOWED"]],
    [{ a: 1 }, [], ["argumentsOrder: TOO_FEW"]],
    [{ a: 1 }, ["a", "a"], ["argumentsOrder[1]: DUPLICATE"]],
    [
      { a: 1 },
      ["constructor", "__proto__", "a"],
      ["argumentsOrder[0]: NOT_ALLOWED", "argumentsOrder[1]: NOT_ALLOWED"],
    ],
    [json('{"__proto__":1}'), ["__proto__"], []],
    ["no object", ["a"], ["arguments: WRONG_TYPE"]],
  ])("%j in the order %j give %j", (given, argumentsOrder, expected) => {
    expect(ofCreation({ arguments: given, argumentsOrder })).toEqual(expected);
  });

  it("are put in order also where another field has the wrong type", () => {
    expect(ofCreation({ dryRun: 1, arguments: { a: 1 }, argumentsOrder: [] })).toEqual([
      "argumentsOrder: TOO_FEW",
      "dryRun: WRONG_TYPE",
    ]);
  });
});

describe("the inputs of commands on a plan", () => {
  const { ADVANCE_PLAN, COMPLETE_PHASE, FAIL_PHASE, ADD_INVARIANT, SET_TAGS, RECORD_ARTIFACTS } =
    commandSchemas;

  it.each(Object.entries(commandSchemas))(
    "%s needs a plan and checks what all commands share",
    async (_, schema) => {
      const document = { text: "" };
      const shared = await faultsInTime(schema, {
        planId: "x",
        document,
        expectedVersion: 0,
        idempotencyKey: "\u0000k",
      });
      expect(shared).toEqual(
        expect.arrayContaining([
          "expectedVersion: OUT_OF_RANGE",
          "idempotencyKey: NOT_STORABLE",
          "planId: MALFORMED",
        ]),
      );
      expect(await faultsInTime(schema, { planId: 5, document, expectedVersion: 1.5 })).toEqual(
        expect.arrayContaining(["expectedVersion: WRONG_TYPE", "planId: WRONG_TYPE"]),
      );
    },
  );

  it("accept what they are made for", () => {
    const planId = ID;
    expect(faults(ADVANCE_PLAN, { planId, to: "EXECUTE", expectedVersion: 1 })).toEqual([]);
    expect(faults(COMPLETE_PHASE, { planId, estimate: {}, sandboxRefs: [] })).toEqual([]);
    expect(faults(FAIL_PHASE, { planId, message: "m", details: { a: [null] } })).toEqual([]);
    expect(faults(ADD_INVARIANT, { planId, invariant: { text: "t" } })).toEqual([]);
    expect(faults(SET_TAGS, { planId, tags: [] })).toEqual([]);
    expect(faults(RECORD_ARTIFACTS, { planId, decisionRootId: ID })).toEqual([]);
  });

  it("refuse a failure without a message that can be read", () => {
    expect(faults(FAIL_PHASE, { planId: ID, message: "\u200B" })).toEqual(["message: BLANK"]);
  });

  it("refuse artifacts that are malformed or none", () => {
    const broken = {
      planId: ID,
      changesetId: "",
      sandboxRefs: [" ", "x".repeat(1_025)],
      validationSummary: [],
      estimate: { n: Number.NaN },
      decisionRootId: "x",
    };
    expect(faults(COMPLETE_PHASE, broken)).toEqual([
      "changesetId: BLANK",
      "decisionRootId: MALFORMED",
      "estimate.n: OUT_OF_RANGE",
      "sandboxRefs[0]: BLANK",
      "sandboxRefs[1]: TOO_LONG",
      "validationSummary: WRONG_TYPE",
    ]);
    expect(faults(RECORD_ARTIFACTS, { planId: "x", changesetId: null })).toEqual([
      ": TOO_FEW",
      "planId: MALFORMED",
    ]);
  });

  it("refuse more tags than a plan can have, and look at no more than these", () => {
    const blanks = Array.from({ length: 640 }, (_, n) => " ".repeat(n));
    expect(faults(SET_TAGS, { planId: ID, tags: blanks.slice(0, 65) })).toEqual([
      "tags: TOO_MANY",
      ...Array.from({ length: 64 }, (_, n) => `tags[${n}]: BLANK`).sort(),
    ]);
    expect(faults(SET_TAGS, { planId: ID, tags: Array(100_000).fill("") })).toEqual([
      "tags: TOO_MANY",
      "tags[0]: BLANK",
    ]);
  });

  it("count repeated tags once", () => {
    const tags = Array.from({ length: 64 }, (_, n) => `tag ${n}`);
    expect(faults(SET_TAGS, { planId: ID, tags: [...tags, ...tags, "tag 0"] })).toEqual([]);
    expect(faults(SET_TAGS, { planId: ID, tags: [...tags, ...tags, "one more"] })).toEqual([
      "tags: TOO_MANY",
    ]);
  });
});

describe("issues", () => {
  it("leave out the argument that holds the input", () => {
    const args = z.object({ input: createPlanSchema });
    expect(faults(args, { input: { ...minimal, name: "", arguments: { input: "\u0000" } } })).toEqual([
      "arguments.input: NOT_STORABLE",
      "name: MALFORMED",
    ]);
  });

  it("show long keys cut", () => {
    const [fault = ""] = ofCreation({ arguments: { ["k".repeat(5_000)]: "\u0000" } });
    expect(fault.length).toBeLessThan(150);
  });

  it("tell a key that looks like a place from a place", () => {
    expect(ofCreation({ arguments: { "0": ["\u0000"] } })).toEqual(['arguments["0"][0]: NOT_STORABLE']);
  });
});
