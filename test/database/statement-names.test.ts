import { describe, expect, it } from "vitest";
import { StatementNames } from "../../src/database/statement-names.js";

describe("the name of a statement", () => {
  const askOften = (names: StatementNames, text: string) =>
    Array.from({ length: 50 }, () => names.nameOf(text)).at(-1);

  it("is given to one that is asked again and again, and stays the same", () => {
    const names = new StatementNames();
    expect(names.nameOf("SELECT 1")).toBeUndefined();
    const name = askOften(names, "SELECT 1");
    expect(name).toEqual(expect.any(String));
    expect(askOften(names, "SELECT 2")).not.toBe(name);
    expect(names.nameOf("SELECT 1")).toBe(name);
  });

  it("is not given to those that are asked once, however many there are", () => {
    const names = new StatementNames();
    for (let n = 0; n < 10_000; n += 1) expect(names.nameOf(`SELECT ${n}`)).toBeUndefined();
    expect(askOften(names, "SELECT 'often'")).toEqual(expect.any(String));
  });

  it("is given to so many that the connections can keep them all, and to no more", () => {
    const names = new StatementNames();
    const given = Array.from({ length: 500 }, (_, n) => askOften(names, `SELECT ${n}`));
    expect(new Set(given.filter((name) => name !== undefined)).size).toBe(100);
    expect(askOften(names, "SELECT 0")).toBe(given[0]);
  });
});
