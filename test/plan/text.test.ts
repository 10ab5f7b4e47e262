import { describe, expect, it } from "vitest";
import { codePoints, foldForComparison, isBlank, isStorable, lowerAscii } from "../../src/plan/text.js";

describe("a storable text", () => {
  it.each(["", "plain", "😀", "\\u0000", "a\nb", "\uFFFD"])("is %j", (text) => {
    expect(isStorable(text)).toBe(true);
  });

  it.each(["\u0000", "a\u0000b", "\uD800", "\uDC00", "😀\uDE00", "\uDE00\uD83D"])("is not %j", (text) => {
    expect(isStorable(text)).toBe(false);
  });
});

describe("a blank text", () => {
  it.each([
    ["nothing", ""],
    ["spaces and tabs", " \t\r\n"],
    ["no-break and ideographic spaces", "\u00A0\u3000\u0085"],
    ["a zero-width space", "\u200B"],
    ["joiners and a byte order mark", "\u200C\u200D\u2060\uFEFF"],
    ["a soft hyphen and bidirectional marks", "\u00AD\u200E\u202E\u2066"],
    ["Hangul fillers", "\u115F\u3164\uFFA0"],
    ["variation selectors and tags", "\uFE0F\u{E0020}"],
    ["the empty braille pattern", "\u2800"],
    ["control characters", "\u0001\u007F"],
  ])("is %s", (_, text) => {
    expect(isBlank(text)).toBe(true);
  });

  it.each([".", "\u200Bx", "0", "😀", "\u0301"])("is not %j", (text) => {
    expect(isBlank(text)).toBe(false);
  });
});

describe("the length of a text", () => {
  it("counts code points, not code units", () => {
    expect(codePoints("")).toBe(0);
    expect(codePoints("a😀b")).toBe(3);
    expect(codePoints("e\u0301")).toBe(2);
    expect(codePoints("\uD800")).toBe(1);
  });
});

describe("comparing texts", () => {
  it("takes composed and decomposed letters for the same", () => {
    expect(foldForComparison("cafe\u0301")).toBe(foldForComparison("caf\u00E9"));
  });

  it("folds white space of every kind and drops it at the ends", () => {
    expect(foldForComparison("\n no\u00A0\u00A0 new\tdependencies \u3000")).toBe("no new dependencies");
  });

  it("keeps case, punctuation and compatibility forms apart", () => {
    expect(foldForComparison("Keep")).not.toBe(foldForComparison("keep"));
    expect(foldForComparison("ﬁ")).not.toBe(foldForComparison("fi"));
  });
});

describe("lower-casing", () => {
  it("touches the ASCII letters only", () => {
    expect(lowerAscii("ABCxyzİÄ\u212A")).toBe("abcxyzİÄ\u212A");
  });
});
