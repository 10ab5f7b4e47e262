/** The table as people read it. */
import { rounded } from "./rows.mjs";

const HEADINGS = ["work", "subject", "", "peer", "", "times better: median", "min – max", "to reach"];

/**
 * The rows as a table of Markdown that also reads well in a terminal.
 * @param {readonly import("./rows.mjs").Row[]} rows
 */
export function tableOf(rows) {
  const lines = rows.map(({ work, subject, subjectShown, peer, peerShown, ratio, goal }) => [
    work,
    subject,
    subjectShown,
    peer,
    peerShown,
    `× ${rounded(ratio.median)}`,
    `${rounded(ratio.min)} – ${rounded(ratio.max)}`,
    goal === null ? "" : `× ${goal}`,
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(3, heading.length, ...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  const lineOf = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [lineOf(HEADINGS), lineOf(widths.map((width) => "-".repeat(width))), ...lines.map(lineOf)].join(
    "\n",
  );
}

/**
 * The page that is committed.
 * @param {{ commit: string, node: string, cpus: number, rows: readonly import("./rows.mjs").Row[] }} outcome
 * @param {readonly string[]} notes
 * @param {import("./options.mjs").Options} options
 */
export function resultsPage({ commit, node, cpus, rows }, notes, { rounds, turnMs }) {
  return `# Results

Made by \`npm run bench\` from commit \`${commit}\`, with Node ${node} on ${cpus} processors that servers, database and
load shared: ${rounds} rounds, turns of ${turnMs / 1000} s. What each work and each peer is stands in [README.md](README.md). A ratio says how
many times better the subject was than the peer within one round; only ratios of one run say anything.

${tableOf(rows)}

What the run said on its way:

${notes.map((text) => `- ${text}`).join("\n")}
`;
}
