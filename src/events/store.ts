/** The log in the database: its identity, its head, and its events from anywhere on. */
import type { Database } from "../database/database.js";
import type { PlanEvent } from "../plan/event.js";
import type { EventPage, EventPageRequest, PlanEventFilter } from "../plan/reading.js";
import { eventCondition } from "../plan/store/filter.js";
import { eventJson, raw, sql } from "../plan/store/fragments.js";
import { ask } from "../plan/store/question.js";
import { eventFromRow, type Row } from "../plan/store/rows.js";
import { eventPageJson, type PageJson, readEventPage } from "../plan/store/tree.js";

export interface EventLog {
  /** Made once for each database, so that a cursor is known to be of another one. */
  readonly identity: string;
  head(): Promise<bigint>;
  /**
   * The next events after `seq` that match, at most `limit`; and how far the log was looked through for them:
   * to the last of them where there are `limit`, else to its head.
   */
  after(seq: bigint, filter: PlanEventFilter | null, limit: number): Promise<Batch>;
  page(filter: PlanEventFilter | null, request: EventPageRequest): Promise<EventPage>;
}

export interface Batch {
  readonly events: readonly PlanEvent[];
  readonly readTo: bigint;
}

export async function openEventLog(database: Database): Promise<EventLog> {
  const [log] = await database.read<{ identity: string }>(sql`SELECT identity FROM event_log`);
  if (log === undefined) throw new Error("The log has no head row.");

  return {
    identity: log.identity,

    head: async () => (await ask<null>(database, sql`SELECT NULL`)).asOf,

    async after(seq, filter, limit) {
      const event = raw("e");
      const { answer, asOf } = await ask<Row[]>(
        database,
        sql`SELECT coalesce(json_agg(r.item), '[]'::json) FROM (SELECT ${eventJson(event)} AS item FROM plan_event ${event}
          WHERE ${event}.seq > ${String(seq)}::bigint AND ${eventCondition(event, filter)}
          ORDER BY ${event}.seq LIMIT ${limit}) r`,
      );
      const events = answer.map(eventFromRow);
      const last = events.at(-1);
      return { events, readTo: last !== undefined && events.length === limit ? last.seq : asOf };
    },

    async page(filter, request) {
      const { answer, asOf } = await ask<PageJson<Row>>(
        database,
        sql`SELECT ${eventPageJson(request, (event) => eventCondition(event, filter))}`,
      );
      return readEventPage(answer, request, asOf);
    },
  };
}
