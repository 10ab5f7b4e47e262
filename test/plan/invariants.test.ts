import { describe, expect, it } from "vitest";
import { effectiveInvariants } from "../../src/plan/invariants.js";
import type { Invariant, InvariantScope } from "../../src/plan/plan.js";

const invariant = (id: string, scope: InvariantScope, text: string, nonOverridable = false): Invariant => ({
  id,
  scope,
  text,
  nonOverridable,
  sourceName: null,
});

/** Each that stands, with the ids that it shadows. */
const outcome = (...invariants: Invariant[]) =>
  effectiveInvariants(invariants).map(({ invariant, shadows }) => [
    invariant.id,
    shadows.map((shadowed) => shadowed.id),
  ]);

describe("effective invariants", () => {
  it("stand by precedence, and in their order within a scope", () => {
    expect(
      outcome(
        invariant("g1", "GLOBAL", "1"),
        invariant("j1", "PROJECT", "2"),
        invariant("p1", "PLAN", "3"),
        invariant("a1", "ACTION", "4"),
        invariant("p2", "PLAN", "5"),
        invariant("g2", "GLOBAL", "6"),
      ),
    ).toEqual([
      ["p1", []],
      ["p2", []],
      ["a1", []],
      ["j1", []],
      ["g1", []],
      ["g2", []],
    ]);
  });

  it("shadow those of the same text below them, by precedence", () => {
    expect(
      outcome(
        invariant("g", "GLOBAL", "no force push"),
        invariant("a2", "ACTION", "no force push"),
        invariant("a1", "ACTION", "other"),
        invariant("p1", "PLAN", "no force push"),
        invariant("p2", "PLAN", "no force push"),
      ),
    ).toEqual([
      ["p1", ["p2", "a2", "g"]],
      ["a1", []],
    ]);
  });

  it("have the same text after NFC and white-space folding, but not in another case", () => {
    expect(
      outcome(
        invariant("p", "PLAN", " Caf\u00E9  stays\n"),
        invariant("a", "ACTION", "Cafe\u0301 stays"),
        invariant("g", "GLOBAL", "caf\u00E9 stays"),
      ),
    ).toEqual([
      ["p", ["a"]],
      ["g", []],
    ]);
  });

  it("are never shadowed where they are nonOverridable, and shadow even a higher scope", () => {
    expect(
      outcome(
        invariant("p", "PLAN", "no secrets"),
        invariant("g1", "GLOBAL", "no secrets"),
        invariant("g2", "GLOBAL", "no secrets", true),
        invariant("j", "PROJECT", "other"),
      ),
    ).toEqual([
      ["j", []],
      ["g2", ["p", "g1"]],
    ]);
  });

  it("all stand where several of one text are nonOverridable, and the first names the shadowed", () => {
    expect(
      outcome(
        invariant("p", "PLAN", "no secrets"),
        invariant("g1", "GLOBAL", "no secrets", true),
        invariant("g2", "GLOBAL", "no secrets", true),
      ),
    ).toEqual([
      ["g1", ["p"]],
      ["g2", []],
    ]);
  });

  it("are none where there are none", () => {
    expect(outcome()).toEqual([]);
  });
});
