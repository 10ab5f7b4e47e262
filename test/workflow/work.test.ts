/** Works that are done piece by piece, side by side. */
import { describe, expect, it } from "vitest";
import { numberStepPaths } from "../../src/workflow/numbering.js";
import { finishInPieces, type Work } from "../../src/workflow/work.js";

/** Far past the pieces of what counts as short. */
const LONG = 200;

/** A work of so many pieces, which says how far it is. */
function* pieces(count: number, onPiece: (done: number) => void = () => {}): Work<number> {
  for (let done = 1; done <= count; done += 1) {
    onPiece(done);
    yield;
  }
  return count;
}

describe("long works at once", () => {
  it("are under way four at a time, and all come to their end", async () => {
    const underWay = new Set<number>();
    let most = 0;
    const results = Array.from({ length: 12 }, (_, index) =>
      finishInPieces(
        pieces(LONG, (done) => {
          if (done > LONG / 2) underWay.add(index);
          if (done === LONG) underWay.delete(index);
          most = Math.max(most, underWay.size);
        }),
      ),
    );
    expect(await Promise.all(results)).toEqual(Array(12).fill(LONG));
    expect(most).toBe(4);
  });

  it("do not hold up a short one, however many wait", async () => {
    const order: string[] = [];
    const long = Array.from({ length: 12 }, () =>
      finishInPieces(pieces(LONG)).then(() => order.push("long")),
    );
    const short = finishInPieces(pieces(3)).then(() => order.push("short"));
    await Promise.all([...long, short]);
    expect(order[0]).toBe("short");
  });

  it("that fail make room for the next", async () => {
    const failing = Array.from({ length: 8 }, () =>
      finishInPieces(
        pieces(LONG, (done) => {
          if (done === LONG / 2) throw new Error("It cannot be read.");
        }),
      ),
    );
    const last = finishInPieces(pieces(LONG));
    for (const { status } of await Promise.allSettled(failing)) expect(status).toBe("rejected");
    expect(await last).toBe(LONG);
  });
});

it("a chain of 100,000 steps is numbered in many pieces", () => {
  const ancestors = Array.from({ length: 100_000 }, (_, index) => `${index}`);
  let pieces = 1;
  for (const work = numberStepPaths([{ step: "last", ancestors }]); !work.next().done; ) pieces++;
  expect(pieces).toBeGreaterThan(100);
});
