/** The cases of the format, without a server. */
import { describe, expect, it } from "vitest";
import { breaksChildren, handsOver, kindOf, laneOf } from "../../src/workflow/derived.js";
import { numberStepPaths } from "../../src/workflow/numbering.js";
import { openFrozen } from "../../src/workflow/validate.js";
import { finish } from "../../src/workflow/work.js";
import knownFaults from "./known-faults.json" with { type: "json" };
import { checkText, faultsOf } from "./support/documents.js";
import { acceptedCases, numberedCases, refusedCases } from "./support/vectors.js";

describe("Every case of the format", () => {
  it.each(acceptedCases())("is read, written and derived from as expected: $file", ({ input, expected }) => {
    const check = checkText(input);
    expect(check.issues).toEqual([]);
    const { plan, canonicalText, digest } = check.workflowPlan ?? expect.unreachable();
    expect(canonicalText).toBe(expected.canonical);
    expect(digest).toBe(expected.digest);
    expect(laneOf(plan)).toBe(expected.lane);
    const derived = plan.items.map((item) => ({
      id: item.id,
      kind: kindOf(item),
      breaks_children: breaksChildren(item),
      hands_over: handsOver(item),
    }));
    expect(derived).toEqual(expected.items);
    expect(finish(openFrozen({ canonicalText, digest }))).toEqual(plan);
  });

  it.each(refusedCases())("is refused at its fault: $file", ({ input, expected }) => {
    const check = checkText(input);
    expect(check.workflowPlan).toBeNull();
    expect(check.issues).not.toEqual([]);
    if (expected.path !== undefined) expect(check.issues.map(({ path }) => path)).toContain(expected.path);
    const known = Object.entries(knownFaults).find(([name]) => name === expected.name);
    if (known) expect(faultsOf(check)).toEqual(known[1]);
  });

  it.each(numberedCases())("has its steps numbered as expected: $name", ({ items, ordinals }) => {
    expect(finish(numberStepPaths(items))).toEqual(ordinals);
  });
});
