import { expect, it } from "vitest";
import { together } from "../../src/workflow/together.js";

it("questions of one turn are answered at once, each with its own answer", async () => {
  const asked: (readonly number[])[] = [];
  const double = together<number, number>((questions) => {
    asked.push(questions);
    return questions.map(async (question) => 2 * question);
  });
  expect(await Promise.all([double(1), double(2)])).toEqual([2, 4]);
  expect(await double(3)).toBe(6);
  expect(asked).toEqual([[1, 2], [3]]);
});

it("all are rejected where answering fails as a whole, and the next ones are asked anew", async () => {
  let fails = true;
  const ask = together<string, string>((questions) => {
    if (fails) throw new Error("down");
    return questions.map(async (question) => question);
  });
  const failed = await Promise.allSettled([ask("a"), ask("b")]);
  expect(failed).toEqual(Array(2).fill({ status: "rejected", reason: new Error("down") }));
  fails = false;
  expect(await ask("c")).toBe("c");
});
