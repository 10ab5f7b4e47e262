/** The cases of the format: documents, and what must come of them. They lie beside the project. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";

const directory = resolve(process.env.WORKFLOW_PLAN_VECTORS ?? "../shared/vectors/workflow-plan");

export interface Accepted {
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

export interface Refused {
  readonly name: string;
  readonly path?: string;
}

export interface Numbered {
  readonly name: string;
  readonly items: readonly { readonly step: string; readonly ancestors: readonly string[] }[];
  readonly ordinals: readonly (readonly number[])[];
}

export interface Case<Expected> {
  readonly file: string;
  /** The document as text. */
  readonly input: string;
  readonly expected: Expected;
}

/** All cases that the format accepts; none where the cases are not beside the project. */
export const acceptedCases = (): Case<Accepted>[] => casesIn("accept");

export const refusedCases = (): Case<Refused>[] => casesIn("reject");

export function numberedCases(): Numbered[] {
  const file = join(directory, "number_step_paths.json");
  const own = { name: "a step of its own", items: [{ step: "a", ancestors: [] }], ordinals: [[1]] };
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [own];
}

function casesIn<Expected>(kind: string): Case<Expected>[] {
  const folder = join(directory, kind);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    return { file, input: inputOf(text), expected: JSON.parse(text) };
  });
}

/** The document as it stands in the text: a parsed one would not know `1.0` from `1`. */
function inputOf(text: string): string {
  return /^ "input": ([\s\S]*?)(?:,\n "|\n\})/m.exec(text)?.[1] ?? expect.unreachable();
}
