/** The cases of the format: documents, and what must come of them. They lie beside the project. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { breaksChildren, handsOver, kindOf, laneOf } from "../../src/workflow/derived.js";
import { numberStepPaths } from "../../src/workflow/numbering.js";
import { openFrozen } from "../../src/workflow/validate.js";
import { finish } from "../../src/workflow/work.js";
import knownFaults from "./known-faults.json" with { type: "json" };
import { checkText, faultsOf } from "./support/documents.js";

const directory = resolve(process.env.WORKFLOW_PLAN_VECTORS ?? "../shared/vectors/workflow-plan");

interface Accepted {
  readonly canonical: string;
  readonly digest: string;
  readonly lane: string;
  readonly items: readonly {
    readonly id: string;
    readonly kind: string;
    readonly breaks_children: boolean;
    readonly hands_over: boolean;
  }[];
}
interface Refused {
  readonly name: string;
  readonly path?: string;
}
interface Numbered {
  readonly name: string;
  readonly items: readonly { readonly step: string; readonly ancestors: readonly string[] }[];
  readonly ordinals: readonly (readonly number[])[];
}

describe("Every case of the format", () => {
  it.each(casesOf<Accepted>("accept"))(
    "is read, written and derived from as expected: $file",
    ({ input, expected }) => {
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
    },
  );

  it.each(casesOf<Refused>("reject"))("is refused at its fault: $file", ({ input, expected }) => {
    const check = checkText(input);
    expect(check.workflowPlan).toBeNull();
    expect(check.issues).not.toEqual([]);
    if (expected.path !== undefined) expect(check.issues.map(({ path }) => path)).toContain(expected.path);
    const known = Object.entries(knownFaults).find(([name]) => name === expected.name);
    if (known) expect(faultsOf(check)).toEqual(known[1]);
  });

  it.each(numberedCases())("has its steps numbered as expected: $name", ({ items, ordinals }) => {
    expect(numberStepPaths(items)).toEqual(ordinals);
  });
});

function casesOf<T>(kind: string): { file: string; input: string; expected: T }[] {
  const folder = join(directory, kind);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    return { file, input: inputOf(text), expected: JSON.parse(text) };
  });
}

function numberedCases(): Numbered[] {
  const file = join(directory, "number_step_paths.json");
  const own = { name: "a step of its own", items: [{ step: "a", ancestors: [] }], ordinals: [[1]] };
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [own];
}

/** The document as it stands in the text: a parsed one would not know `1.0` from `1`. */
function inputOf(text: string): string {
  return /^ "input": ([\s\S]*?)(?:,\n "|\n\})/m.exec(text)?.[1] ?? expect.unreachable();
}
