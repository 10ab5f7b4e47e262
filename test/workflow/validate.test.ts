/** Documents as a whole: how they come, their limits, numbering, and opening what was frozen. */
import { describe, expect, it } from "vitest";
import { ISSUE_LIMIT, ISSUE_TEXT_LIMIT } from "../../src/workflow/issues.js";
import { renderItem } from "../../src/workflow/plan-codec.js";
import {
  checkDocument,
  checkRenumbered,
  DOCUMENT_LIMIT,
  openFrozen,
  VALUE_LIMIT,
} from "../../src/workflow/validate.js";
import { finish, finishInPieces } from "../../src/workflow/work.js";
import {
  checkJson,
  checkText,
  cli,
  faultsOf,
  itemWith,
  type Json,
  type JsonObject,
  planWith,
} from "./support/documents.js";

describe("A document", () => {
  it("that comes as a JSON value is read like its text", () => {
    const json = planWith([
      itemWith({
        operation: { type: "action", identifier: "plugin", payload: { b: [1, -0, 1.5, 1e21, 1e-7, null] } },
      }),
    ]);
    const check = finish(checkDocument({ json }));
    expect(check.workflowPlan?.canonicalText).toContain('{"b":[1,0,1.5,1e+21,1e-07,null]}');
    expect(check).toEqual(checkJson(json));
  });

  it("that comes as a JSON value keeps __proto__ as a key", () => {
    const env: unknown = JSON.parse('{"__proto__":"1","A":"2"}');
    const payload = { commands: [{ shell: "x", env }], assert: null };
    const json = {
      ...planWith([]),
      items: [{ ...itemWith(cli), operation: { type: "action", identifier: "cli", payload } }],
    };
    expect(finish(checkDocument({ json })).workflowPlan?.canonicalText).toContain(
      '{"__proto__":"1","A":"2"}',
    );
  });

  it.each([
    [undefined, "$ NOT_JSON"],
    [{ ...planWith([]), modes: [Number.NaN] }, "$.modes[0] NOT_JSON"],
    [{ ...planWith([]), agent: () => "codex" }, "$.agent NOT_JSON"],
  ])("that comes as no JSON value is refused: %#", (json, fault) => {
    expect(faultsOf(finish(checkDocument({ json })))).toEqual([fault]);
  });

  it("has at most 3 MiB, by its bytes", () => {
    const tooLong = JSON.stringify(planWith([], { agent: "é".repeat(DOCUMENT_LIMIT / 2) }));
    expect(faultsOf(checkText(tooLong))).toEqual(["$ TOO_LARGE"]);
    expect(faultsOf(finish(checkDocument({ json: JSON.parse(tooLong) })))).toEqual(["$ TOO_LARGE"]);
  });

  it("has at most 10,000 items", () => {
    const items = (count: number) => checkJson(planWith(Array.from({ length: count }, () => 0)));
    expect(faultsOf(items(10_001))).toEqual(["$.items TOO_MANY_ITEMS"]);
    expect(faultsOf(items(10_000))).not.toContain("$.items TOO_MANY_ITEMS");
  });

  it("has at most 400,000 values, as text and as a value", () => {
    const own = 8;
    const holding = (values: number) => planWith([], { unknown: Array(values - own - 1).fill(0) });
    for (const check of [checkJson, (json: Json) => finish(checkDocument({ json }))]) {
      expect(faultsOf(check(holding(VALUE_LIMIT)))).toEqual([]);
      expect(faultsOf(check(holding(VALUE_LIMIT + 1)))[0]).toMatch(/^\$.* TOO_MANY_VALUES$/);
    }
  });

  it("is nested at most 64 levels deep, as text and as a value", () => {
    const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    const json = (levels: number) => {
      const payload = { nested: nested(levels) };
      return {
        ...planWith([]),
        items: [{ ...itemWith(), operation: { type: "action", identifier: "plugin", payload } }],
      };
    };
    expect(faultsOf(finish(checkDocument({ json: json(59) })))).toEqual([]);
    for (const document of [{ json: json(60) }, { text: JSON.stringify(json(60)) }]) {
      const [fault] = faultsOf(finish(checkDocument(document)));
      expect(fault).toMatch(/^\$\.items\[0\]\.operation\.payload\.nested(\[0\])+ TOO_DEEP$/);
    }
  });

  it("with more faults than a report holds gets the first ones and one that says so", () => {
    const { issues } = checkJson(planWith(Array.from({ length: 9_000 }, () => ({}))));
    expect(issues).toHaveLength(ISSUE_LIMIT);
    expect(issues.at(-1)?.code).toBe("TOO_MANY_ISSUES");
    expect(issues.at(-2)?.code).toBe("MISSING_KEY");
  });

  it("with faults that lie far inside gets as many as fit into a report, and one that says so", () => {
    const deep = (levels: number): Json =>
      levels === 0 ? Array(2_000).fill("\0") : { ["\0".repeat(200)]: deep(levels - 1) };
    const operation = { type: "action", identifier: "plugin", payload: { deep: deep(50) } };
    const { freezeIssues } = checkJson(planWith([itemWith({ operation })]));
    expect(freezeIssues.length).toBeLessThan(ISSUE_LIMIT);
    expect(freezeIssues.at(-1)).toMatchObject({
      code: "TOO_MANY_ISSUES",
      message: expect.stringContaining(`${freezeIssues.length - 1} issues`),
    });
    expect(JSON.stringify(freezeIssues).length).toBeLessThan(3 * ISSUE_TEXT_LIMIT);
  });

  it("with long keys and values gets short paths and messages", () => {
    const long = "x".repeat(100_000);
    const launch = { [long]: 1 };
    const operation = { type: "child_workflow", workflow: "w", launch };
    const { issues } = checkJson(planWith([itemWith({ ...cli, owner: long, operation })]));
    expect(issues.map(({ code }) => code)).toEqual(["UNKNOWN_KEY", "UNKNOWN_VALUE", "WRONG_EXECUTION"]);
    for (const { path, message } of issues) expect(path.length + message.length).toBeLessThan(600);
  });

  it("whose agent every item inherits may not become many times as large", () => {
    const items = Array.from({ length: 5_000 }, () => itemWith());
    expect(faultsOf(checkJson(planWith(items, { agent: "a".repeat(50_000) })))).toEqual([
      "$.agent TOO_LARGE",
    ]);
  });

  it("of thousands of items is worked on in many small pieces, with the same result", async () => {
    const text = JSON.stringify(
      planWith(Array.from({ length: 3_000 }, (_, index) => itemWith({ id: `i${index}` }))),
    );
    let pieces = 1;
    for (const work = checkDocument({ text }); !work.next().done; ) pieces++;
    expect(pieces).toBeGreaterThan(200);
    expect(await finishInPieces(checkDocument({ text }))).toEqual(checkText(text));
  });

  it("lets the event loop turn between two pieces", async () => {
    const text = JSON.stringify(planWith(Array.from({ length: 3_000 }, () => itemWith())));
    let turns = 0;
    const turn = () => {
      turns++;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    await finishInPieces(checkDocument({ text }));
    clearImmediate(next);
    expect(turns).toBeGreaterThan(100);
  });
});

describe("Whole numbers beyond the safe ones", () => {
  it("are kept to the digit", () => {
    const digits = "123456789012345678901234567890";
    const document = JSON.stringify(planWith([itemWith({ position: "N", step_ordinals: ["N"] })])).replaceAll(
      '"N"',
      digits,
    );
    const { plan, canonicalText } = checkText(document).workflowPlan ?? expect.unreachable();
    expect(plan.items[0]?.position).toBe(BigInt(digits));
    expect(canonicalText).toContain(`"step_ordinals":[${digits}]`);
  });
});

describe("A number that only looks finite", () => {
  it("is refused where it would be written, with its place", () => {
    const payload = '{"a":[1,1e400]}';
    const item = JSON.stringify(itemWith({ operation: "O", unknown: 1 }))
      .replace('"O"', `{"type":"action","identifier":"plugin","payload":${payload}}`)
      .replace('"unknown":1', '"unknown":1e400');
    const check = checkText(JSON.stringify(planWith(["I"])).replace('"I"', item));
    expect(faultsOf(check)).toEqual(["$.items[0].operation.payload.a[1] NOT_FINITE"]);
  });
});

describe("Numbering step paths", () => {
  const steps = (ordinals: JsonObject) =>
    planWith([
      itemWith({ ancestors: ["a"], step: "a/b", ...ordinals }),
      itemWith({ ancestors: ["a"], step: "a/c", ...ordinals }),
      itemWith({ step: "d" }),
    ]);

  it.each([
    ["none", {}],
    ["others", { step_ordinals: [7, 7] }],
    ["wrong ones", { step_ordinals: [0, "x"] }],
  ])("replaces the ordinals of a document that has %s", (_, ordinals) => {
    const check = finish(checkRenumbered({ json: steps(ordinals) }));
    expect(check.issues).toEqual([]);
    const { plan, canonicalText, digest } = check.workflowPlan ?? expect.unreachable();
    expect(plan.items.map((item) => item.step_ordinals)).toEqual([[1, 1], [1, 2], [2]]);
    expect(checkText(canonicalText).workflowPlan?.digest).toBe(digest);
  });

  it("refuses all that is wrong besides", () => {
    const json = planWith([itemWith({ step: 1, step_ordinals: [1, 2] })]);
    expect(faultsOf(finish(checkRenumbered({ json })))).toEqual(["$.items[0].step WRONG_TYPE"]);
    expect(faultsOf(finish(checkRenumbered({ json: { items: "none" } })))).toContain("$.items WRONG_TYPE");
  });
});

describe("A frozen text", () => {
  const { plan, canonicalText, digest } =
    checkJson(planWith([itemWith()])).workflowPlan ?? expect.unreachable();

  it("is opened to the plan that was frozen", () => {
    expect(finish(openFrozen({ canonicalText, digest }))).toEqual(plan);
  });

  it.each([
    ["another name", canonicalText.replace("Build", "Built"), digest],
    ["white space", ` ${canonicalText}`, digest],
    ["another digest", canonicalText, "0".repeat(64)],
    ["nothing in it", "", digest],
  ])("that has %s now is an error", (_, text, sum) => {
    expect(() => finish(openFrozen({ canonicalText: text, digest: sum }))).toThrow("not what was frozen");
  });

  it("has the text of each item in it", () => {
    for (const item of plan.items) expect(canonicalText).toContain(renderItem(item));
  });
});
