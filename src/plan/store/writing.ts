/** The statement that writes what commands did: rows, events, keys and the new head of the log, all at once. */
import type { Sql } from "../../database/database.js";
import { Prisma } from "../../database/generated/client.js";
import type { Change } from "../changes.js";
import type { PlanEvent } from "../event.js";
import type { Instant, Plan, Ulid } from "../plan.js";
import { raw, sql } from "./fragments.js";
import { CHANGING_COLUMNS, changingRow, eventRow, partRow, planRow, type Row, workflowRow } from "./rows.js";

/** What some commands did, in their order. */
export interface Deeds {
  readonly changes: readonly Change[];
  /** One for each change. */
  readonly events: readonly PlanEvent[];
  readonly keys: readonly KeptKey[];
}

export interface KeptKey {
  readonly key: string;
  readonly fingerprint: string;
  readonly planId: Ulid;
  readonly seq: bigint;
  readonly createdAt: Instant;
}

/** The plans as they are after the changes. */
export function latestPlans(changes: readonly Change[]): readonly Plan[] {
  return [...new Map(changes.map(({ after }) => [after.id, after])).values()];
}

/** Null where nothing was done. Parts without rows are left out, so that the common statements are small. */
export function writing({ changes, events, keys }: Deeds): Sql | null {
  const latest = latestPlans(changes);
  const earliest = new Map(changes.map(({ before, after }) => [after.id, before] as const).reverse());
  const created = latest.filter(({ id }) => earliest.get(id) === null);
  const changed = latest.filter(({ id }) => earliest.get(id) !== null);
  const links = created.flatMap(({ id, projectLinks }) =>
    projectLinks.map((link, position) => partRow(id, { ...link, position })),
  );
  const phases = latest.flatMap((plan) => {
    const known = earliest.get(plan.id)?.phases ?? [];
    return plan.phases.filter((one) => !known.includes(one)).map((one) => partRow(plan.id, one));
  });
  const invariants = latest.flatMap(({ id, invariants }) => {
    const known = earliest.get(id)?.invariants.length ?? 0;
    return invariants
      .slice(known)
      .map((invariant, index) => partRow(id, { ...invariant, position: known + index }));
  });
  // A large command is carried out alone, so there is one workflow at most; its text is no part of any JSON.
  const [frozen] = latest.filter(({ workflow }) => workflow?.content !== undefined);
  const workflows = frozen === undefined ? [] : [workflowRow(frozen)];
  const text = frozen?.workflow?.content?.canonicalText ?? null;

  const parts = [
    part("plan", created.map(planRow), (rows) => sql`INSERT INTO plan SELECT * FROM ${rows}`),
    part(
      "plan",
      changed.map(changingRow),
      // The ids stand there a second time so that the planner knows how few they are, and takes the index.
      (rows) => sql`UPDATE plan SET (${CHANGING}) = ROW(${CHANGED}) FROM ${rows} r
        WHERE plan.id = r.id AND plan.id = ANY(${changed.map(({ id }) => id)}::text[])`,
    ),
    part("project_link", links, (rows) => sql`INSERT INTO project_link SELECT * FROM ${rows}`),
    part(
      "phase_progress",
      phases,
      (rows) => sql`INSERT INTO phase_progress SELECT * FROM ${rows}
        ON CONFLICT (plan_id, phase) DO UPDATE SET queued_at = excluded.queued_at,
          started_at = excluded.started_at, finished_at = excluded.finished_at, attempts = excluded.attempts`,
    ),
    part("invariant", invariants, (rows) => sql`INSERT INTO invariant SELECT * FROM ${rows}`),
    part(
      "workflow_revision",
      workflows,
      (rows) => sql`INSERT INTO workflow_revision
        SELECT r.plan_id, r.revision, r.digest, ${text}::text, r.item_count, r.frozen_at FROM ${rows} r`,
    ),
    part("plan_event", events.map(eventRow), (rows) => sql`INSERT INTO plan_event SELECT * FROM ${rows}`),
    part(
      "idempotency_key",
      keys.map(keyRow),
      (rows) => sql`INSERT INTO idempotency_key SELECT * FROM ${rows}`,
    ),
  ].filter((one) => one !== null);
  if (parts.length === 0) return null;
  const last = events.at(-1);
  const head =
    last === undefined
      ? sql`SELECT`
      : sql`UPDATE event_log SET seq = ${String(last.seq)}::bigint, at = ${last.at}::timestamptz`;
  const named = parts.map((one, index) => sql`${raw(`part${index}`)} AS (${one})`);
  return sql`WITH ${Prisma.join(named, ", ")} ${head}`;
}

const CHANGING = raw(CHANGING_COLUMNS.join(", "));
const CHANGED = raw(CHANGING_COLUMNS.map((column) => `r.${column}`).join(", "));

/** A part of the statement about rows in the shape of a table, which travel as one JSON parameter. */
function part(table: string, rows: readonly Row[], statement: (rows: Sql) => Sql): Sql | null {
  if (rows.length === 0) return null;
  return statement(sql`json_populate_recordset(NULL::${raw(table)}, ${JSON.stringify(rows)}::json)`);
}

function keyRow({ key, fingerprint, planId, seq, createdAt }: KeptKey): Row {
  return { key, fingerprint, plan_id: planId, seq: String(seq), created_at: createdAt };
}
