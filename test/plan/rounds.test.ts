import { describe, expect, it, vi } from "vitest";
import type { PlanPageRequest } from "../../src/plan/reading.js";
import { Rounds } from "../../src/plan/store/rounds.js";
import { planStore } from "../../src/plan/store/store.js";
import { homes } from "../support/databases.js";

/** Rounds whose statements end when the test says so. */
function controlledRounds(most = 100) {
  const begun: { asked: string[]; answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const rounds = new Rounds<string, string>(
    (asked) => new Promise((answer, fail) => begun.push({ asked: [...asked], answer, fail })),
    most,
  );
  return { rounds, begun };
}

it("whoever asks while a statement is under way gets the answer of a later one, with all who ask until it begins", async () => {
  const { rounds, begun } = controlledRounds();
  const first = [rounds.ask("a"), rounds.ask("b")];
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  const later = [rounds.ask("c"), rounds.ask("a")];
  begun[0]?.answer("before");
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  begun[1]?.answer("after");
  expect(await Promise.all(first)).toEqual(["before", "before"]);
  expect(await Promise.all(later)).toEqual(["after", "after"]);
  expect(begun.map(({ asked }) => asked)).toEqual([
    ["a", "b"],
    ["c", "a"],
  ]);
});

it("a statement that fails has failed for those who asked it, and for nobody after them", async () => {
  const { rounds, begun } = controlledRounds();
  const failing = [rounds.ask("a"), rounds.ask("b")].map((answer) => answer.catch(String));
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  const next = rounds.ask("a");
  begun[0]?.fail(new Error("lost"));
  expect(await Promise.all(failing)).toEqual(["Error: lost", "Error: lost"]);
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  begun[1]?.answer("found");
  expect(await next).toBe("found");
});

it("a statement that hangs does not hold up the next one for long", async () => {
  const { rounds, begun } = controlledRounds();
  const hanging = rounds.ask("a");
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  const next = rounds.ask("a");
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  begun[1]?.answer("second");
  expect(await next).toBe("second");
  begun[0]?.answer("first");
  expect(await hanging).toBe("first");
});

it("a round is asked so much at most, and what more there is at the same time makes others", async () => {
  const { rounds, begun } = controlledRounds(2);
  const answers = ["a", "b", "c", "d", "e"].map((asked) => rounds.ask(asked));
  await vi.waitFor(() => expect(begun).toHaveLength(3));
  expect(begun.map(({ asked }) => asked)).toEqual([["a", "b"], ["c", "d"], ["e"]]);
  for (const { asked, answer } of begun) answer(asked.join());
  expect(await Promise.all(answers)).toEqual(["a,b", "a,b", "c,d", "c,d", "e"]);
});

describe.each(homes)("forty who ask at once ($name)", ({ open }) => {
  it("for the same page cost one statement, for single plans one for sixteen of them", async () => {
    const statements: string[] = [];
    const home = await open({ onStatement: (text) => statements.push(text) });
    const { page, plan } = planStore(home.database, 1_000_000);
    const request: PlanPageRequest = {
      filter: null,
      orderBy: [{ field: "CREATED_AT", direction: "DESC" }],
      window: { size: 20, backward: false, cursor: null },
      shape: new Map(),
      withPage: true,
      withTotal: false,
      withBehind: false,
    };
    const forty = Array.from({ length: 40 }, (_, index) => String(index));
    const pages = await Promise.all(forty.map(() => page(request)));
    expect(pages.map(({ edges }) => edges)).toEqual(forty.map(() => []));
    expect(statements).toHaveLength(1);
    expect(await Promise.all(forty.map((id) => plan(id, request.shape)))).toEqual(forty.map(() => null));
    expect(statements).toHaveLength(1 + 3);
    await home.close();
  });
});
