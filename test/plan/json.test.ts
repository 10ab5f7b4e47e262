import { describe, expect, it } from "vitest";
import {
  canonicalJson,
  JSON_DEPTH_LIMIT,
  JSON_ISSUES_LIMIT,
  jsonIssues,
  jsonSize,
  membersInOrder,
  mergeTopLevel,
  objectText,
  orderedText,
} from "../../src/plan/json.js";
import type { JsonObject } from "../../src/plan/plan.js";

const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

describe("looking through a received value", () => {
  it.each([
    '{"$type":"DateTime","value":"x"}',
    '{"set":[1],"increment":1}',
    '[{"$type":1}]',
    '{"a":{"b":[null,[null]]},"c":null}',
    "{}",
    '"\\\\u0000 😀"',
    '{"__proto__":{"constructor":{"prototype":1}}}',
    "1e308",
  ])("finds nothing wrong with %s", (text) => {
    expect(jsonIssues(JSON.parse(text))).toEqual([]);
  });

  it("names every unstorable string and key by its path", () => {
    const value = JSON.parse('{"a":["ok","\\u0000"],"\\ud800":{"b":"\\udc00"},"__proto__":"\\u0000"}');
    expect(jsonIssues(value).map(({ path, code }) => [path, code])).toEqual([
      [["a", 1], "NOT_STORABLE"],
      [["\uD800"], "NOT_STORABLE"],
      [["\uD800", "b"], "NOT_STORABLE"],
      [["__proto__"], "NOT_STORABLE"],
    ]);
  });

  it("finds numbers that overflowed and what is not JSON", () => {
    const issues = jsonIssues({ big: JSON.parse("1e999"), gone: undefined, whole: 1n });
    expect(issues.map(({ path, code }) => [path, code])).toEqual([
      [["big"], "OUT_OF_RANGE"],
      [["gone"], "WRONG_TYPE"],
      [["whole"], "WRONG_TYPE"],
    ]);
  });

  it("accepts nesting to the limit and refuses one more", () => {
    expect(jsonIssues(nested(JSON_DEPTH_LIMIT))).toEqual([]);
    expect(jsonIssues(nested(JSON_DEPTH_LIMIT + 1))).toMatchObject([{ code: "TOO_LARGE" }]);
  });

  it("refuses a value nested too deep for the stack", () => {
    let value: unknown = null;
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    expect(jsonIssues(value)).toMatchObject([{ code: "TOO_LARGE" }]);
  });

  it("stops counting at the limit of issues", () => {
    expect(jsonIssues(Array(10_000).fill("\u0000"))).toHaveLength(JSON_ISSUES_LIMIT);
  });
});

describe("writing JSON text", () => {
  it("keeps a given order where JavaScript would move integer-like keys", () => {
    const object = JSON.parse('{"b":1,"2":{"z":[1]},"a":null,"1":"x"}') as JsonObject;
    expect(orderedText(object, ["b", "2", "a", "1"])).toBe('{"b":1,"2":{"z":[1]},"a":null,"1":"x"}');
  });

  it("puts members that the order does not name last", () => {
    expect(membersInOrder({ a: 1, b: 2, c: 3 }, ["c"])).toEqual([
      ["c", 3],
      ["a", 1],
      ["b", 2],
    ]);
  });

  it("takes __proto__ and constructor for ordinary keys", () => {
    const object = JSON.parse('{"__proto__":{"x":1},"constructor":2}') as JsonObject;
    expect(orderedText(object, ["constructor", "__proto__"])).toBe('{"constructor":2,"__proto__":{"x":1}}');
    expect(orderedText({ a: 1 }, ["__proto__", "a"])).toBe('{"a":1}');
  });

  it("escapes keys", () => {
    expect(objectText([['a"\n', "1"]])).toBe('{"a\\"\\n":1}');
  });

  it("measures bytes of UTF-8, not characters", () => {
    expect(jsonSize({ k: "é😀" })).toBe('{"k":""}'.length + 6);
  });
});

describe("merging by top-level key", () => {
  it("replaces values at the older place and adds new keys at the end", () => {
    const merged = mergeTopLevel({ a: { x: 1 }, b: 2 }, { c: 3, a: { y: 1 } });
    expect(JSON.stringify(merged)).toBe('{"a":{"y":1},"b":2,"c":3}');
  });

  it("keeps __proto__ as data and leaves every other object alone", () => {
    const evil = JSON.parse('{"__proto__":{"polluted":true}}') as JsonObject;
    expect(JSON.stringify(mergeTopLevel({ a: 1 }, evil))).toBe('{"a":1,"__proto__":{"polluted":true}}');
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("canonical text", () => {
  it("is the same whatever the order of keys, at every level", () => {
    const left = JSON.parse('{"b":[{"y":1,"x":"é"}],"a":null,"__proto__":1}') as JsonObject;
    const right = JSON.parse('{"__proto__":1,"a":null,"b":[{"x":"é","y":1}]}') as JsonObject;
    expect(canonicalJson(left)).toBe(canonicalJson(right));
  });

  it("differs by the order of lists, by type and by nesting", () => {
    const texts = [[1, 2], [2, 1], ["1", 2], [[1, 2]], { "0": 1, "1": 2 }, null].map(canonicalJson);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("sorts integer-like keys with the others and is JSON", () => {
    const text = canonicalJson({ b: 1, "10": 2, "9": 3, a: 4 });
    expect(JSON.parse(text)).toEqual({ b: 1, "10": 2, "9": 3, a: 4 });
    expect(text).toBe('{"10":2,"9":3,"a":4,"b":1}');
  });
});
