/** The log in the database: its identity, its head, its events from anywhere on, and the pruning of old ones. */
import type { Database, Sql } from "../database/database.js";
import type { PlanEvent } from "../plan/event.js";
import type { EventPage, EventPageRequest, PlanEventFilter } from "../plan/reading.js";
import { eventCondition } from "../plan/store/filter.js";
import { eventJson, raw, sql } from "../plan/store/fragments.js";
import { ask } from "../plan/store/question.js";
import { eventFromRow, type Row } from "../plan/store/rows.js";
import { type EventPageJson, eventPageJson, readEventPage } from "../plan/store/tree.js";

export interface EventLog {
  /** Made once for each database, so that a cursor is known to be of another one. */
  readonly identity: string;
  extent(): Promise<LogExtent>;
  /** The next events after `seq` that match, of a bounded part of the log. */
  after(seq: bigint, filter: PlanEventFilter | null, bounds: BatchBounds): Promise<Batch>;
  page(filter: PlanEventFilter | null, request: EventPageRequest): Promise<EventPage>;
  /** Looks at the next events after `seq`, at most `limit`, and deletes those that need not be kept. */
  prune(seq: bigint, limit: number, retention: Retention): Promise<Pruned>;
}

export interface LogExtent {
  /** The last event. */
  readonly head: bigint;
  /** Of the events up to here only the last one of each plan is kept. */
  readonly prunedTo: bigint;
}

export interface BatchBounds {
  readonly events: number;
  /** The batch ends with the event that reaches this; there is always one event, however large. */
  readonly bytes: number;
}

export interface Batch extends LogExtent {
  readonly events: readonly PlanEvent[];
  /** How far the log was looked through where there are no events; the head may be further. */
  readonly readTo: bigint;
}

/** What must be kept: an event goes when it is older than the one, or further back than the other. */
export interface Retention {
  readonly maxAgeMs: number | null;
  readonly maxEvents: number | null;
}

export interface Pruned {
  readonly deleted: number;
  /** How far was looked; null where nothing after `seq` need not be kept. */
  readonly lookedTo: bigint | null;
}

/** How many events one statement looks through for those that match, so that none takes long. */
const LOOK_THROUGH = 5_000;

/** Whoever prunes holds this advisory lock: once in a database is enough. */
const PRUNING_LOCK = 7_452_913;

export async function openEventLog(database: Database): Promise<EventLog> {
  const [log] = await database.read<{ identity: string }>(sql`SELECT identity FROM event_log`);
  if (log === undefined) throw new Error("The log has no head row.");

  /** One statement, of the same moment as the extent of the log that comes with it. */
  async function askWithExtent<Answer>(question: Sql): Promise<{ readonly answer: Answer } & LogExtent> {
    const { answer, asOf } = await ask<{ answer: Answer; prunedTo: string }>(
      database,
      sql`SELECT json_build_object('answer', (${question}), 'prunedTo', l.pruned_to::text) FROM event_log l`,
    );
    return { answer: answer.answer, head: asOf, prunedTo: BigInt(answer.prunedTo) };
  }

  return {
    identity: log.identity,

    async extent() {
      const { head, prunedTo } = await askWithExtent<null>(sql`SELECT NULL`);
      return { head, prunedTo };
    },

    async after(seq, filter, bounds) {
      const event = raw("e");
      const after = sql`${String(seq)}::bigint`;
      // The last event to look at; null where the log ends before.
      const last =
        filter === null
          ? sql`NULL::bigint`
          : sql`(SELECT seq FROM plan_event WHERE seq > ${after} ORDER BY seq OFFSET ${LOOK_THROUGH - 1}::int LIMIT 1)`;
      const { answer, head, prunedTo } = await askWithExtent<{ last: string | null; rows: Row[] }>(
        sql`SELECT json_build_object('last', b.last::text, 'rows', (
          SELECT coalesce(json_agg(${eventJson(event)} ORDER BY ${event}.seq), '[]'::json)
          FROM (SELECT ${event}.*, sum(${event}.bytes) OVER (ORDER BY ${event}.seq) - ${event}.bytes AS bytes_before
            FROM (SELECT ${event}.*, octet_length(${event}.data_json) + octet_length(${event}.project_names::text) AS bytes
              FROM plan_event ${event}
              WHERE ${event}.seq > ${after} AND (b.last IS NULL OR ${event}.seq <= b.last)
                AND ${eventCondition(event, filter)}
              ORDER BY ${event}.seq LIMIT ${bounds.events}::int) ${event}) ${event}
          WHERE ${event}.bytes_before < ${bounds.bytes}::int))
        FROM (SELECT ${last} AS last) b`,
      );
      const readTo = answer.last === null ? head : BigInt(answer.last);
      return { events: answer.rows.map(eventFromRow), head, prunedTo, readTo };
    },

    async page(filter, request) {
      const { answer, asOf } = await ask<EventPageJson>(
        database,
        sql`SELECT ${eventPageJson(request, (event) => eventCondition(event, filter))}`,
      );
      return readEventPage(answer, request, asOf);
    },

    prune: (seq, limit, { maxAgeMs, maxEvents }) =>
      database.transaction(async (tx) => {
        const [row] = await tx.$queryRaw<{ deleted: number; looked_to: string | null }[]>(sql`
          WITH mine AS (SELECT pg_try_advisory_xact_lock(${PRUNING_LOCK}::bigint) AS locked),
          old AS (
            SELECT e.seq, e.plan_id, e.plan_version
            FROM (SELECT seq, plan_id, plan_version, at FROM plan_event
              WHERE seq > ${String(seq)}::bigint ORDER BY seq LIMIT ${limit}::int) e, mine
            WHERE mine.locked AND (
              e.at < clock_timestamp() - make_interval(secs => ${maxAgeMs === null ? null : maxAgeMs / 1000}::float8)
              OR e.seq <= (SELECT l.seq FROM event_log l) - ${maxEvents}::bigint)),
          deleted AS (
            DELETE FROM plan_event e USING old, plan p
            WHERE e.seq = old.seq AND p.id = old.plan_id AND old.plan_version < p.version RETURNING e.seq),
          -- Only where it moves: the head row of a quiet log is left alone, and nobody is woken.
          moved AS (
            UPDATE event_log SET pruned_to = (SELECT max(seq) FROM old)
            WHERE pruned_to < (SELECT max(seq) FROM old))
          SELECT (SELECT count(*)::int FROM deleted) AS deleted, (SELECT max(seq)::text FROM old) AS looked_to`);
        return {
          deleted: row?.deleted ?? 0,
          lookedTo: row?.looked_to == null ? null : BigInt(row.looked_to),
        };
      }),
  };
}
