/**
 * The writing side of the store, inside one transaction. Locks are taken in one order, so that commands never
 * deadlock: the idempotency key, the plan, the head of the log.
 */
import type { Sql, Transaction } from "../../database/database.js";
import { Prisma } from "../../database/generated/client.js";
import { type Change, side } from "../changes.js";
import type { PlanUnitOfWork, UsedKey } from "../commands/port.js";
import type { PlanEvent } from "../event.js";
import type { NamespacedName, Plan, Ulid } from "../plan.js";
import { aggregateJson, raw, sql } from "./fragments.js";
import {
  type AggregateRows,
  CHANGING_COLUMNS,
  changingRow,
  eventRow,
  partRow,
  planFromRows,
  planRow,
  workflowRow,
} from "./rows.js";

export function unitOfWork(tx: Transaction): PlanUnitOfWork {
  async function one<Row>(statement: Sql): Promise<Row | undefined> {
    const rows = await tx.$queryRaw<Row[]>(statement);
    return rows[0];
  }

  async function find(id: string): Promise<Plan | null> {
    const plan = raw("p");
    const row = await one<{ aggregate: string }>(
      sql`SELECT ${aggregateJson(plan)}::text AS aggregate FROM plan ${plan} WHERE ${plan}.id = ${id}`,
    );
    return row === undefined ? null : planFromRows(JSON.parse(row.aggregate) as AggregateRows);
  }

  return {
    async recall(key) {
      await tx.$executeRaw(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
      const kept = await one<{ fingerprint: string; planId: Ulid; seq: string }>(
        sql`SELECT fingerprint, plan_id AS "planId", seq::text FROM idempotency_key WHERE key = ${key}`,
      );
      return kept === undefined ? null : { ...kept, seq: BigInt(kept.seq) };
    },

    find,

    // The lock comes in a statement of its own: a statement that has waited for a row sees it as it is now, but
    // the rows of other tables as they were before.
    async lock(id) {
      const locked = await one(sql`SELECT id FROM plan WHERE id = ${id} FOR NO KEY UPDATE`);
      return locked === undefined ? null : find(id);
    },

    async remember({ key, fingerprint }, planId, seq) {
      await tx.$executeRaw(sql`INSERT INTO idempotency_key (key, fingerprint, plan_id, seq, created_at)
        VALUES (${key}, ${fingerprint}, ${planId}, ${seq}, clock_timestamp())`);
    },

    async glance() {
      return head(await one(sql`SELECT seq::text, ${timeOfHead} AS at FROM event_log`));
    },

    async append(actor, make, key) {
      const { seq, at } = head(
        await one(sql`SELECT seq::text, ${timeOfHead} AS at FROM event_log FOR UPDATE`),
      );
      const changes = make(at);
      const events = changes.map((change, index) => eventOf(change, seq + BigInt(index + 1), actor));
      await tx.$executeRaw(writing(changes, events, key));
      return { changes, seq: seq + BigInt(events.length) };
    },
  };
}

/** The database's time, never before that of the last event. */
const timeOfHead: Sql = sql`to_char(greatest(at, clock_timestamp()) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function head(row: { seq: string; at: string } | undefined): { seq: bigint; at: string } {
  if (row === undefined) throw new Error("The log has no head row.");
  return { seq: BigInt(row.seq), at: row.at };
}

function eventOf(
  { before, after, type, automatic, data }: Change,
  seq: bigint,
  actor: NamespacedName,
): PlanEvent {
  return {
    seq,
    planId: after.id,
    planVersion: after.version,
    type,
    at: after.updatedAt,
    actor,
    automatic,
    data,
    rootPlanId: after.rootPlanId,
    actionName: after.actionName,
    projectNames: after.projectLinks.map(({ projectName }) => projectName),
    from: before === null ? null : side(before),
    to: side(after),
  };
}

/** All rows of some changes, with their events, the new head and the key of the command, in one statement. */
function writing(changes: readonly Change[], events: readonly PlanEvent[], key: UsedKey | null): Sql {
  const last = events.at(-1);
  if (last === undefined) throw new Error("A command made no event.");
  const seq = String(last.seq);
  const keys = key === null ? [] : [{ ...key, plan_id: last.planId, seq, created_at: last.at }];
  const created = changes.filter(({ before }) => before === null).map(({ after }) => after);
  const latest = [...new Map(changes.map(({ after }) => [after.id, after])).values()];
  const firstSeen = new Map(changes.map(({ before, after }) => [after.id, before] as const).reverse());
  const changed = latest.filter(({ id }) => firstSeen.get(id) !== null);

  const links = created.flatMap(({ id, projectLinks }) =>
    projectLinks.map((link, position) => partRow(id, { ...link, position })),
  );
  const phases = latest.flatMap(({ id, phases }) => phases.map((progress) => partRow(id, progress)));
  const invariants = latest.flatMap(({ id, invariants }) => {
    const known = firstSeen.get(id)?.invariants.length ?? 0;
    return invariants
      .slice(known)
      .map((invariant, index) => partRow(id, { ...invariant, position: known + index }));
  });
  // A command freezes one workflow at most; its text, which may be long, is no part of any JSON.
  const [frozen] = latest.filter(({ workflow }) => workflow?.content !== undefined);
  const columns = raw(CHANGING_COLUMNS.join(", "));
  const values = raw(CHANGING_COLUMNS.map((column) => `r.${column}`).join(", "));

  return sql`WITH
    created AS (INSERT INTO plan SELECT * FROM ${recordset("plan", created.map(planRow))}),
    changed AS (UPDATE plan SET (${columns}) = ROW(${values})
      FROM ${recordset("plan", changed.map(changingRow))} r WHERE plan.id = r.id),
    links AS (INSERT INTO project_link SELECT * FROM ${recordset("project_link", links)}),
    phases AS (INSERT INTO phase_progress SELECT * FROM ${recordset("phase_progress", phases)}
      ON CONFLICT (plan_id, phase) DO UPDATE SET queued_at = excluded.queued_at,
        started_at = excluded.started_at, finished_at = excluded.finished_at, attempts = excluded.attempts),
    invariants AS (INSERT INTO invariant SELECT * FROM ${recordset("invariant", invariants)}),
    workflows AS (INSERT INTO workflow_revision
      SELECT r.plan_id, r.revision, r.digest, ${frozen?.workflow?.content?.canonicalText ?? null}::text, r.item_count, r.frozen_at
      FROM ${recordset("workflow_revision", frozen === undefined ? [] : [workflowRow(frozen)])} r),
    events AS (INSERT INTO plan_event SELECT * FROM ${recordset("plan_event", events.map(eventRow))}),
    keys AS (INSERT INTO idempotency_key SELECT * FROM ${recordset("idempotency_key", keys)})
    UPDATE event_log SET seq = ${seq}::bigint, at = ${last.at}::timestamptz`;
}

/** Rows as one JSON parameter, in the shape of a table. */
function recordset(table: string, rows: readonly object[]): Sql {
  return sql`json_populate_recordset(NULL::${Prisma.raw(table)}, ${JSON.stringify(rows)}::json)`;
}
