/**
 * Between rows and the domain, by convention: columns are the fields in snake_case, `_json` columns hold JSON
 * text, `_at` columns times. Rows travel as JSON in both directions, so that any number of them is one parameter.
 */
import { writeJson } from "../../json-writing.js";
import type { WorkflowRevision } from "../../workflow/revision.js";
import type { PlanEvent } from "../event.js";
import type { Invariant, PhaseProgress, Plan, PlanPhase, PlanState, ProjectLink } from "../plan.js";

/** The columns of a plan that commands change; all others stay as they were created. */
export const CHANGING_COLUMNS = [
  "phase",
  "state",
  "changeset_id",
  "sandbox_refs",
  "validation_summary_json",
  "estimate_json",
  "decision_root_id",
  "error_message",
  "error_details_json",
  "tags",
  "version",
  "updated_at",
  "applied_at",
  "cancelled_at",
  "cancel_reason",
  "archived_at",
  "workflow_revision",
] as const;

export type Row = Readonly<Record<string, unknown>>;

/** The parts of an aggregate as the database builds them. */
export interface AggregateRows {
  readonly plan: Row;
  readonly workflow: Row | null;
  readonly links: readonly Row[];
  readonly invariants: readonly Row[];
  readonly phases: readonly Row[];
}

type PlanColumns = Omit<Plan, "projectLinks" | "invariants" | "phases" | "workflow">;

interface EventColumns extends Omit<PlanEvent, "seq" | "from" | "to"> {
  readonly fromPhase: PlanPhase | null;
  readonly fromState: PlanState | null;
  readonly fromTags: readonly string[];
  readonly toPhase: PlanPhase;
  readonly toState: PlanState;
  readonly toTags: readonly string[];
}

const JSON_FIELDS = new Set([
  "effectiveProfileSnapshot",
  "arguments",
  "validationSummary",
  "estimate",
  "errorDetails",
]);

export function planFromRows({ plan, workflow, links, invariants, phases }: AggregateRows): Plan {
  const { workflow_revision: _, ...columns } = plan;
  return Object.freeze({
    ...fields<PlanColumns>(columns),
    workflow: workflow === null ? null : fields<WorkflowRevision>(workflow),
    projectLinks: links.map((row) => fields<ProjectLink>(row)),
    invariants: invariants.map((row) => fields<Invariant>(row)),
    phases: phases.map((row) => fields<PhaseProgress>(row)),
  });
}

/** The row of the table `plan`; links, invariants, phases and workflows have rows of their own. */
export function planRow({ projectLinks, invariants, phases, workflow, ...plan }: Plan): Row {
  return { ...columns(plan), workflow_revision: workflow?.revision ?? null };
}

export function changingRow(plan: Plan): Row {
  const row = planRow(plan);
  return Object.fromEntries(["id", ...CHANGING_COLUMNS].map((column) => [column, row[column]]));
}

export function partRow(planId: string, part: object): Row {
  return { plan_id: planId, ...columns(part) };
}

/** The row of the workflow that counts, without its text. */
export function workflowRow({ id, workflow }: Plan): Row {
  const { content, ...facts } = workflow ?? {};
  return partRow(id, facts);
}

export function eventFromRow({ seq, ...row }: Row): PlanEvent {
  const { fromPhase, fromState, fromTags, toPhase, toState, toTags, ...facts } = fields<EventColumns>(row);
  const from =
    fromPhase === null || fromState === null ? null : { phase: fromPhase, state: fromState, tags: fromTags };
  const to = { phase: toPhase, state: toState, tags: toTags };
  return Object.freeze({ ...facts, seq: BigInt(String(seq)), from, to });
}

export function eventRow({ seq, data, from, to, ...facts }: PlanEvent): Row {
  return {
    ...columns(facts),
    seq: String(seq),
    data_json: writeJson(data),
    from_phase: from?.phase ?? null,
    from_state: from?.state ?? null,
    from_tags: from?.tags ?? [],
    to_phase: to.phase,
    to_state: to.state,
    to_tags: to.tags,
  };
}

function fields<Fields>(row: Row): Fields {
  const entries = Object.entries(row).map(([column, value]) => {
    const field = column
      .replace(/_json$/, "")
      .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (typeof value !== "string") return [field, value];
    if (column.endsWith("_json")) return [field, JSON.parse(value)];
    if (column.endsWith("_at") || column === "at") return [field, new Date(value).toISOString()];
    return [field, value];
  });
  return Object.fromEntries(entries);
}

function columns(record: object): Row {
  const entries = Object.entries(record).map(([field, value]) => {
    const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (!JSON_FIELDS.has(field)) return [column, value];
    return [`${column}_json`, value === null ? null : writeJson(value)];
  });
  return Object.fromEntries(entries);
}
