/** Logs for tests of what reads them: plans and events written straight into the tables, by no command. */
import type { Database } from "../../src/database/database.js";
import type { PlanEvent } from "../../src/plan/event.js";
import { eventRow } from "../../src/plan/store/rows.js";
import { samplePlan } from "../support/sample-rows.js";

/** Plans with these ids, that have no events yet. */
export async function addPlans(database: Database, ids: readonly string[]): Promise<void> {
  await database.transaction((tx) => tx.plan.createMany({ data: ids.map((id) => samplePlan(id)) }));
}

/** Writes these events, whose plans are there, and moves the head of the log to the last of them. */
export async function addEvents(database: Database, events: readonly PlanEvent[]): Promise<void> {
  const rows = JSON.stringify(events.map(eventRow));
  await database.transaction(async (tx) => {
    await tx.$executeRaw`INSERT INTO plan_event SELECT * FROM json_populate_recordset(NULL::plan_event, ${rows}::json)`;
    await tx.$executeRaw`UPDATE event_log SET seq = (SELECT max(seq) FROM plan_event)`;
  });
}

/** So many plain events of one plan that is there, from its first version on; `data` is the JSON text in each. */
export async function fillLog(
  database: Database,
  planId: string,
  count: number,
  data = "{}",
  at = new Date(),
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.$executeRaw`INSERT INTO plan_event (seq, plan_id, plan_version, type, at, actor, automatic, data_json,
        root_plan_id, action_name, to_phase, to_state)
      SELECT l.seq + n, ${planId}, n, 'PLAN_CREATED', ${at}, 'local/anonymous', false, ${data},
        ${planId}, 'local/action', 'STRATEGIZE', 'QUEUED'
      FROM event_log l, generate_series(1, ${count}::int) n`;
    await tx.plan.update({ where: { id: planId }, data: { version: count } });
    await tx.$executeRaw`UPDATE event_log SET seq = seq + ${count}::int`;
  });
}

/** The log and the plans as they were before the first one. */
export async function emptyLog(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.planEvent.deleteMany();
    await tx.plan.deleteMany();
    await tx.$executeRaw`UPDATE event_log SET seq = 0, pruned_to = 0`;
  });
}
