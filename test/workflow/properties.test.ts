/** What holds for every workflow plan, tried on random ones. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { openFrozen } from "../../src/workflow/validate.js";
import { finish } from "../../src/workflow/work.js";
import { arbitraryPlan, freezablePlan } from "./support/arbitrary-plans.js";
import { checkJson, checkText, faultsOf, freezeFaultsOf, type Json, planWith } from "./support/documents.js";
import { withThreeFaults } from "./support/fault-kinds.js";
import { spoiled, spoiledItem } from "./support/faults.js";

const runs = { numRuns: 100, seed: 20_261 };

it("A valid plan is accepted, and its canonical text gives the same text and digest again", () => {
  fc.assert(
    fc.property(arbitraryPlan, (document) => {
      const first = checkJson(document);
      expect(first.issues).toEqual([]);
      const { plan, canonicalText, digest } = first.workflowPlan ?? expect.unreachable();
      expect(checkText(canonicalText).workflowPlan).toMatchObject({ canonicalText, digest });
      expect(finish(openFrozen({ canonicalText, digest })).items).toHaveLength(plan.items.length);
    }),
    runs,
  );
});

it("Another order of the keys that the format knows changes neither canonical text nor digest", () => {
  fc.assert(
    fc.property(arbitraryPlan, fc.infiniteStream(fc.nat()), (document, random) => {
      expect(checkJson(shuffled(document, random)).workflowPlan).toEqual(checkJson(document).workflowPlan);
    }),
    runs,
  );
});

it("A single fault is refused at its path with its code", () => {
  const faults = arbitraryPlan.chain(spoiled);
  fc.assert(
    fc.property(faults, ({ document, path, code }) => {
      const check = checkJson(document);
      expect(check.workflowPlan).toBeNull();
      expect(faultsOf(check)).toContain(`${path} ${code}`);
    }),
    { ...runs, numRuns: 300 },
  );
});

it("The faults of two items are reported both at once", () => {
  const twice = fc.tuple(arbitraryPlan.chain(spoiledItem), arbitraryPlan.chain(spoiledItem));
  fc.assert(
    fc.property(twice, (faulty) => {
      const check = checkJson(planWith(faulty.map(({ item }) => item)));
      for (const [index, { path, code }] of faulty.entries()) {
        expect(faultsOf(check)).toContain(`$.items[${index}]${path} ${code}`);
      }
    }),
    runs,
  );
});

it("Faults of the format, between fields and of freezing are reported at once, and nothing else", () => {
  fc.assert(
    fc.property(freezablePlan.chain(withThreeFaults), ({ document, issues, freezeIssues }) => {
      const check = checkJson(document);
      expect(faultsOf(check).sort()).toEqual([...issues].sort());
      expect(freezeFaultsOf(check)).toEqual(freezeIssues);
    }),
    { ...runs, numRuns: 200 },
  );
});

/** Shuffles the keys of objects, but for those whose order belongs to the document. */
function shuffled(value: Json, random: Iterator<number>): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => shuffled(entry, random));
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, entry]) => ({ place: random.next().value, key, entry }))
      .sort((a, b) => a.place - b.place)
      .map(({ key, entry }) => [key, KEPT.includes(key) ? entry : shuffled(entry, random)]),
  );
}

const KEPT = ["payload", "command"];
