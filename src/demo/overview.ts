/** The counts by phase and state as a table for people. */
import type { Api } from "./api.js";

interface Counts {
  readonly planCounts: {
    readonly total: number;
    readonly byPhaseAndState: readonly {
      readonly phase: string;
      readonly state: string;
      readonly count: number;
    }[];
  };
  readonly all: { readonly totalCount: number };
}

const phases = ["STRATEGIZE", "EXECUTE", "APPLY", "APPLIED"];
const states = ["QUEUED", "PROCESSING", "ERRORED", "COMPLETE", "CANCELLED"];

/** How many plans the server has in each position, as text of several lines. */
export async function overview(api: Api): Promise<string> {
  const { planCounts, all } = await api.ask<Counts>(`{
    planCounts { total byPhaseAndState { phase state count } }
    all: plans(filter: { includeArchived: true }, first: 1) { totalCount }
  }`);
  const countOf = (phase: string, state: string) =>
    planCounts.byPhaseAndState.find((entry) => entry.phase === phase && entry.state === state)?.count ?? 0;
  const rows = phases.map((phase) => [
    phase.padEnd(12),
    ...states.map((state) => String(countOf(phase, state) || "·").padStart(state.length + 2)),
  ]);
  const head = [" ".repeat(12), ...states.map((state) => `  ${state}`)];
  const archived = all.totalCount - planCounts.total;
  return [
    ...[head, ...rows].map((cells) => cells.join("")),
    "",
    `${planCounts.total} plans, and ${archived} more in the archive.`,
  ].join("\n");
}
