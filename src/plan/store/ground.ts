/**
 * Locks and reads what some commands touch. Locks are taken in one order, so that commands never deadlock: the
 * idempotency keys, the plans, the head of the log. Commands that share a transaction leave out what others hold, and
 * wait for the head alone.
 */
import type { RunStatement, Sql } from "../../database/database.js";
import type { Reach, RememberedCommand } from "../commands/port.js";
import type { Instant, Ulid } from "../plan.js";
import type { Aggregates } from "./aggregates.js";
import { sql } from "./fragments.js";
import { type PlanVersion, versionText } from "./plan-version.js";
import type { Ground } from "./unit-of-work.js";

/** Whether what others hold is waited for, which a command does only where it keeps nobody else waiting. */
export type AboutHeld = "WAIT" | "LEAVE";

export interface LaidGround extends Ground {
  /** What others hold: these keys and the plans of these ids. */
  readonly held: { readonly keys: ReadonlySet<string>; readonly plans: ReadonlySet<Ulid> };
}

export async function layGround(
  run: RunStatement,
  reaches: readonly Reach[],
  aggregates: Aggregates,
  aboutHeld: AboutHeld,
): Promise<LaidGround> {
  const keys = await lockKeys(run, given(reaches.map(({ key }) => key)), aboutHeld);
  const free = reaches.filter(({ key }) => key === null || !keys.held.has(key));
  const plans = await lockPlans(run, given(free.map(({ planId }) => planId)), aboutHeld);
  // In a statement of its own: the one that has waited for a lock may not see what its holder did.
  const remembered = await recall(run, keys.locked);
  const others = given([
    ...free.map(({ parentId }) => parentId),
    ...[...remembered.values()].map(({ planId }) => planId),
  ]);
  const read = await aggregates.within(run, plans.locked, others);
  const head = await headOf(run, free.every(({ isRehearsal }) => isRehearsal) ? "LOOK" : "TAKE");
  return { ...head, plans: read, remembered, held: { keys: keys.held, plans: plans.held } };
}

/** Each once and in order. */
function given(texts: readonly (string | null)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== null))].sort();
}

async function lockKeys(run: RunStatement, keys: readonly string[], aboutHeld: AboutHeld) {
  if (keys.length === 0) return { locked: [], held: new Set<string>() };
  const rows = await run<{ key: string; locked: boolean }>(LOCK_KEYS[aboutHeld](keys));
  const held = new Set(rows.filter(({ locked }) => !locked).map(({ key }) => key));
  return { locked: keys.filter((key) => !held.has(key)), held };
}

const LOCK_KEYS: Readonly<Record<AboutHeld, (keys: readonly string[]) => Sql>> = {
  LEAVE: (keys) => sql`SELECT key, pg_try_advisory_xact_lock(hashtextextended(key, 0)) AS locked
    FROM unnest(${[...keys]}::text[]) AS key`,
  WAIT: (keys) => sql`SELECT key, pg_advisory_xact_lock(hashtextextended(key, 0)) IS NOT NULL AS locked
    FROM unnest(${[...keys]}::text[]) AS key`,
};

async function lockPlans(run: RunStatement, ids: readonly Ulid[], aboutHeld: AboutHeld) {
  if (ids.length === 0) return { locked: [], held: new Set<Ulid>() };
  const rows = await run<{ id: Ulid; version: PlanVersion | null }>(LOCK_PLANS[aboutHeld](ids));
  const locked = rows.map(({ version }) => version).filter((version) => version !== null);
  return { locked, held: new Set(rows.filter(({ version }) => version === null).map(({ id }) => id)) };
}

/** A plan that others hold has no version. */
const LOCK_PLANS: Readonly<Record<AboutHeld, (ids: readonly Ulid[]) => Sql>> = {
  LEAVE: (ids) => sql`SELECT p.id, ${versionText(sql`l`)} AS version FROM plan p
    LEFT JOIN (SELECT id, version, updated_at FROM plan WHERE id = ANY(${[...ids]}::text[])
      FOR NO KEY UPDATE SKIP LOCKED) l ON l.id = p.id
    WHERE p.id = ANY(${[...ids]}::text[])`,
  WAIT: (ids) => sql`SELECT id, ${versionText(sql`plan`)} AS version FROM plan
    WHERE id = ANY(${[...ids]}::text[]) ORDER BY id FOR NO KEY UPDATE`,
};

async function recall(
  run: RunStatement,
  keys: readonly string[],
): Promise<ReadonlyMap<string, RememberedCommand>> {
  if (keys.length === 0) return new Map();
  const rows = await run<{ key: string; fingerprint: string; planId: Ulid; seq: string }>(
    sql`SELECT key, fingerprint, plan_id AS "planId", seq::text FROM idempotency_key
      WHERE key = ANY(${[...keys]}::text[])`,
  );
  return new Map(rows.map(({ key, seq, ...kept }) => [key, { ...kept, seq: BigInt(seq) }]));
}

async function headOf(run: RunStatement, how: "TAKE" | "LOOK"): Promise<{ head: bigint; at: Instant }> {
  const [row] = await run<{ seq: string; at: string }>(HEAD[how]);
  if (row === undefined) throw new Error("The log has no head row.");
  return { head: BigInt(row.seq), at: row.at };
}

function instant(time: Sql): Sql {
  return sql`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** With the database's time, never before that of the last event. */
const LOOK = sql`SELECT seq::text, ${instant(sql`greatest(at, clock_timestamp())`)} AS at FROM event_log`;
const HEAD = { LOOK, TAKE: sql`${LOOK} FOR UPDATE` };
