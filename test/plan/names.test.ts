import { describe, expect, it } from "vitest";
import { defaultPlanName, parseAlias, parseName } from "../../src/plan/names.js";

const LONGEST_WORD = "a".repeat(64);
const LONGEST_SERVER = "s".repeat(253);

describe("reading a name", () => {
  it.each([
    ["code-review", "local/code-review"],
    ["Code-Review", "local/code-review"],
    ["org/deploy", "org/deploy"],
    ["Hub.Example:Org/Deploy", "hub.example:org/deploy"],
    ["0/9_-", "0/9_-"],
    ["constructor", "local/constructor"],
    [
      `${LONGEST_SERVER}:${LONGEST_WORD}/${LONGEST_WORD}`,
      `${LONGEST_SERVER}:${LONGEST_WORD}/${LONGEST_WORD}`,
    ],
  ])("reads %s as %s", (text, name) => {
    expect(parseName(text)).toBe(name);
  });

  it("reads its own answer as the same name", () => {
    expect(parseName(parseName("Hub.Example:Org/Deploy") ?? "")).toBe("hub.example:org/deploy");
  });

  it.each([
    "",
    " a",
    "a ",
    "a\n",
    "a b",
    "/a",
    "a/",
    "a/b/c",
    "hub:a",
    ":a/b",
    "hub:/b",
    "a:b:c/d",
    "-a",
    "_a/b",
    ".hub:a/b",
    "hub_x:a/b",
    "a.b",
    "__proto__",
    "İa",
    "\u212Aelvin",
    "ﬁ",
    "caf\u00E9",
    "cafe\u0301",
    "a\u0000",
    "\uD800",
    `${LONGEST_WORD}a`,
    `${LONGEST_WORD}a/b`,
    `${LONGEST_SERVER}s:a/b`,
  ])("refuses %j", (text) => {
    expect(parseName(text)).toBeNull();
  });
});

describe("reading an alias", () => {
  it("lower-cases the ASCII letters", () => {
    expect(parseAlias("Front-End_2")).toBe("front-end_2");
    expect(parseAlias("constructor")).toBe("constructor");
    expect(parseAlias(LONGEST_WORD)).toBe(LONGEST_WORD);
  });

  it.each([
    "",
    " ui",
    "ui ",
    "ui\n",
    "-ui",
    "a/b",
    "a.b",
    "İ",
    "ı",
    "\u212A",
    "e\u0301",
    "__proto__",
    `${LONGEST_WORD}a`,
  ])("refuses %j", (text) => {
    expect(parseAlias(text)).toBeNull();
  });
});

describe("the name of a plan made without one", () => {
  const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

  it("is the action's, without its server, and the end of the id", () => {
    expect(defaultPlanName("local/code-review", ID)).toBe("local/code-review-q69g5fav");
    expect(defaultPlanName("hub.example:org/deploy", ID)).toBe("org/deploy-q69g5fav");
  });

  it("is a name again, however long the action's is", () => {
    const name = defaultPlanName(`${LONGEST_SERVER}:${LONGEST_WORD}/${LONGEST_WORD}`, ID);
    expect(name).toBe(`${LONGEST_WORD}/${"a".repeat(55)}-q69g5fav`);
    expect(parseName(name)).toBe(name);
  });
});
