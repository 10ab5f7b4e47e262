/** The README as data: its code blocks in their order, and the rows of its tables. */
import { readFileSync } from "node:fs";

export interface Block {
  readonly language: string;
  readonly code: string;
  /** The heading above it. */
  readonly heading: string;
}

const text = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** All fenced blocks that name a language. */
export function blocks(): readonly Block[] {
  let heading = "";
  return [...text.matchAll(/^#+ (?<heading>.+)$|^```(?<language>\w+)\n(?<code>[\s\S]*?)^```$/gm)].flatMap(
    ({ groups = {} }) => {
      heading = groups.heading ?? heading;
      return groups.language && groups.code
        ? [{ language: groups.language, code: groups.code, heading }]
        : [];
    },
  );
}

/** The cells of all table rows below a heading, without the row of the headings and its line. */
export function tableBelow(heading: string): readonly (readonly string[])[] {
  const section = text.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| "));
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What stands between backquotes, each once. */
export function quoted(cells: string): readonly string[] {
  return [...cells.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
}
