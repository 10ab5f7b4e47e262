/** Reading JSON text: what is kept, and what is refused where. */
import { describe, expect, it } from "vitest";
import { type ExactJson, ExactNumber } from "../../src/workflow/exact-json.js";
import { IssueReport } from "../../src/workflow/issues.js";
import { readJsonText } from "../../src/workflow/json-text.js";
import { finish } from "../../src/workflow/work.js";

function read(text: string): ExactJson | undefined {
  return finish(readJsonText(text, new IssueReport()));
}

function refusalOf(text: string): string {
  const report = new IssueReport();
  expect(finish(readJsonText(text, report))).toBeUndefined();
  expect(report.issues).toHaveLength(1);
  const { path, code, message } = report.issues[0] ?? expect.unreachable();
  return `${path} ${code} ${message}`;
}

describe("JSON text", () => {
  it("keeps the order of all keys, integer-like ones and __proto__ included", () => {
    const value = read('{"b":1,"10":2,"__proto__":{"x":3},"2":4,"constructor":5,"":6}');
    expect([...(value as Map<string, ExactJson>).keys()]).toEqual([
      "b",
      "10",
      "__proto__",
      "2",
      "constructor",
      "",
    ]);
  });

  it("gives a key that is there twice its last value at its first place", () => {
    expect(read('{"a":1,"b":2,"a":3}')).toEqual(
      new Map([
        ["a", new ExactNumber("3")],
        ["b", new ExactNumber("2")],
      ]),
    );
  });

  it.each(["0", "-0", "1.0", "1E+05", "1e-07", "123456789012345678901234567890", `-${"9".repeat(4_300)}`])(
    "keeps the number %s as it was written",
    (text) => {
      expect(read(text)).toEqual(new ExactNumber(text));
    },
  );

  it.each([
    ['"\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\\"\\\\"', 'é😀/\b\f\n\r\t"\\'],
    ['"\\ud800"', "\ud800"],
    ['"\\u0000"', "\0"],
    ['"\u007f\u2028"', "\u007f\u2028"],
    [" \t\n\r[ ] ", []],
  ])("reads %j", (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each([
    ["", "$ NOT_JSON Expected a value but found the end (line 1, column 1)."],
    ["[1,]", '$[1] NOT_JSON Expected a value but found "]" (line 1, column 4).'],
    ['{"a":1,}', '$ NOT_JSON Expected a key in double quotes but found "}" (line 1, column 8).'],
    ['{"a":{"b":[1,\n 2x]}}', `$.a.b[2] NOT_JSON Expected ',' or ']' but found "x" (line 2, column 3).`],
    ['{"a" 1}', `$.a NOT_JSON Expected ':' but found "1" (line 1, column 6).`],
    ["01", '$ NOT_JSON Expected the end of the text but found "1" (line 1, column 2).'],
    ["1.", '$ NOT_JSON Expected the end of the text but found "." (line 1, column 2).'],
    ["-", '$ NOT_JSON Expected a number but found "-" (line 1, column 1).'],
    ["\ufeff1", '$ NOT_JSON Expected a value but found "\ufeff" (line 1, column 1).'],
    ["'a'", '$ NOT_JSON Expected a value but found "\'" (line 1, column 1).'],
    ['"a\\x"', '$ NOT_JSON Expected an escape that JSON knows but found "\\\\" (line 1, column 3).'],
    ['"\\\\\\u12g4"', '$ NOT_JSON Expected an escape that JSON knows but found "\\\\" (line 1, column 4).'],
    [
      "[NaN]",
      "$[0] NOT_FINITE NaN and the infinities are no JSON numbers; write a finite number or null (line 1, column 2).",
    ],
  ])("%j is refused where it goes wrong", (text, refusal) => {
    expect(refusalOf(text)).toBe(refusal);
  });

  it.each(["[Infinity]", "[-Infinity]"])("%s is refused as no number of JSON", (text) => {
    expect(refusalOf(text)).toContain("$[0] NOT_FINITE");
  });

  it.each(['"abc', '"a\nb"', '"a\u0000b"', '"\\'])(
    "The string %j is refused, because it does not end",
    (text) => {
      expect(refusalOf(text)).toContain("NOT_JSON Expected the end of the string");
    },
  );

  it("names the place of an escape that JSON does not know", () => {
    expect(refusalOf('["\\n\\u00e9\\\\", "a\\\\\\x"]')).toContain("(line 1, column 20)");
    expect(refusalOf('\n["\\u12g4"]')).toContain("(line 2, column 3)");
  });

  it("may be nested 64 levels deep and no deeper, however deep it goes", () => {
    expect(read("[".repeat(64) + "]".repeat(64))).toHaveLength(1);
    expect(refusalOf("[".repeat(65) + "]".repeat(65))).toContain("TOO_DEEP");
    expect(refusalOf('{"a":'.repeat(500_000))).toContain("TOO_DEEP");
  });

  it("may have 10,000 keys in an object and no more", () => {
    const keys = Array.from({ length: 10_001 }, (_, index) => `"k${index}":0`);
    expect(read(`{${keys.slice(1).join()}}`)).toHaveProperty("size", 10_000);
    expect(refusalOf(`[{${keys.join()}}]`)).toContain("$[0] TOO_MANY_KEYS");
  });

  it("may have whole numbers of 4,300 digits and no longer", () => {
    expect(refusalOf(`{"a":${"1".repeat(4_301)}}`)).toContain("$.a NUMBER_TOO_LONG");
    expect(read(`${"1".repeat(4_301)}.5`)).toBeInstanceOf(ExactNumber);
  });
});
