/** Writing JSON text, and what Python does otherwise than JavaScript. */
import { describe, expect, it } from "vitest";
import { IssueReport } from "../../src/workflow/issues.js";
import { CANONICAL, DIGEST, exactText, type JsonForm } from "../../src/workflow/json-form.js";
import { readJsonText } from "../../src/workflow/json-text.js";
import { isBlank, reprOfFraction } from "../../src/workflow/python-text.js";
import { finish, Pace } from "../../src/workflow/work.js";

function write(text: string, form: JsonForm): string {
  const value = finish(readJsonText(text, new IssueReport())) ?? expect.unreachable();
  return finish(exactText(value, form, new Pace()));
}

describe("The canonical text", () => {
  it("keeps the order of keys and escapes only what JSON needs", () => {
    const text = '{"b":"é😀\u2028\u007f/","10":["\\u001f\\b\\f\\n\\r\\t\\"\\\\"],"2":null}';
    expect(write(text, CANONICAL)).toBe(text);
  });

  it("leaves half a surrogate pair as it is", () => {
    expect(write('"\\ud800\\n"', CANONICAL)).toBe('"\ud800\\n"');
  });
});

it("Long strings, keys and lists are written in pieces, which nobody sees", () => {
  for (const before of ["", "a"]) {
    const long = before + "😀é\n".repeat(60_000);
    const list = Array.from({ length: 5_000 }, (_, index) => `${index}`);
    const text = JSON.stringify({ "": list, [long]: long });
    expect(write(text, CANONICAL) === text).toBe(true);
    const unicodeEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    expect(write(text, DIGEST) === text.replace(/[^ -~]/g, unicodeEscape)).toBe(true);
  }
  expect(write(`"${"a".repeat(65_535)}\\ud83d\\ud83d"`, DIGEST)).toMatch(/^"a{65535}\\ud83d\\ud83d"$/);
});

describe("The text of the digest", () => {
  it("orders keys by code point, which is not the order of UTF-16 units", () => {
    const keys = ["😀", "～", "\\ud800", "b", "B", "", "10", "2", "😀a", "😁"];
    const text = `{${keys.map((key, index) => `"${key}":${index}`).join()}}`;
    expect(write(text, DIGEST)).toBe(
      '{"":5,"10":6,"2":7,"B":4,"b":3,"\\ud800":2,"\\uff5e":1,"\\ud83d\\ude00":0,"\\ud83d\\ude00a":8,"\\ud83d\\ude01":9}',
    );
  });

  it("escapes everything outside printable ASCII, and no slash", () => {
    expect(write('"é\u007f\u2028\\u0000 ~/\\u001f\\n"', DIGEST)).toBe(
      '"\\u00e9\\u007f\\u2028\\u0000 ~/\\u001f\\n"',
    );
  });

  it("prints whole numbers plainly, however large, and fractions like Python", () => {
    const numbers = "[-0,-0.0,1.0,1E2,0.1e1,1e-7,12345678901234567890123,1e16,123456789012345678.0]";
    expect(write(numbers, DIGEST)).toBe(
      "[0,-0.0,1.0,100.0,1.0,1e-07,12345678901234567890123,1e+16,1.2345678901234568e+17]",
    );
  });
});

it.each([
  [0, "0.0"],
  [-0, "-0.0"],
  [1, "1.0"],
  [-2.5, "-2.5"],
  [0.1, "0.1"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [-0.000099, "-9.9e-05"],
  [-3e16, "-3e+16"],
  [0.000123456, "0.000123456"],
  [1e15, "1000000000000000.0"],
  [9999999999999998, "9999999999999998.0"],
  [1e16, "1e+16"],
  [1.5e16, "1.5e+16"],
  [1e22, "1e+22"],
  [1e100, "1e+100"],
  [123456.789, "123456.789"],
  [5e-324, "5e-324"],
  [1.7976931348623157e308, "1.7976931348623157e+308"],
])("Python prints the fraction %d as %s", (value, repr) => {
  expect(reprOfFraction(value)).toBe(repr);
});

it("Blank is what Python's strip leaves nothing of", () => {
  const trimmed = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2009\u200a\u2028\u2029\u202f\u205f\u3000";
  for (const char of trimmed) expect(isBlank(char), JSON.stringify(char)).toBe(true);
  for (const char of "\ufeff\u200b\u180e\0a\x1b\x84") expect(isBlank(char), JSON.stringify(char)).toBe(false);
  expect(isBlank("")).toBe(true);
});
