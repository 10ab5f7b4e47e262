/** The SQL that builds one aggregate and one event as JSON, for every statement that reads them. */
import type { Sql } from "../../database/database.js";
import { Prisma } from "../../database/generated/client.js";

const { sql, raw } = Prisma;

/** The aggregate of the row `plan` (an alias of the table) in the form of `AggregateRows`. */
export function aggregateJson(plan: Sql): Sql {
  return sql`json_build_object(
    'plan', row_to_json(${plan}),
    'workflow', (SELECT json_build_object('revision', w.revision, 'digest', w.digest, 'item_count', w.item_count,
        'frozen_at', w.frozen_at)
      FROM workflow_revision w WHERE w.plan_id = ${plan}.id AND w.revision = ${plan}.workflow_revision),
    'links', (SELECT coalesce(json_agg(json_build_object('project_name', l.project_name, 'alias', l.alias,
        'read_only', l.read_only) ORDER BY l.position), '[]'::json)
      FROM project_link l WHERE l.plan_id = ${plan}.id),
    'invariants', (SELECT coalesce(json_agg(json_build_object('id', i.id, 'text', i.text, 'scope', i.scope,
        'source_name', i.source_name, 'non_overridable', i.non_overridable) ORDER BY i.position), '[]'::json)
      FROM invariant i WHERE i.plan_id = ${plan}.id),
    'phases', (SELECT coalesce(json_agg(json_build_object('phase', f.phase, 'queued_at', f.queued_at,
        'started_at', f.started_at, 'finished_at', f.finished_at, 'attempts', f.attempts) ORDER BY f.phase), '[]'::json)
      FROM phase_progress f WHERE f.plan_id = ${plan}.id))`;
}

/** The row `event` (an alias of the table); `seq` as text, since JSON numbers end at 2^53. */
export function eventJson(event: Sql): Sql {
  return sql`json_build_object('seq', ${event}.seq::text, 'plan_id', ${event}.plan_id,
    'plan_version', ${event}.plan_version, 'type', ${event}.type, 'at', ${event}.at, 'actor', ${event}.actor,
    'automatic', ${event}.automatic, 'data_json', ${event}.data_json, 'root_plan_id', ${event}.root_plan_id,
    'action_name', ${event}.action_name, 'project_names', ${event}.project_names,
    'from_phase', ${event}.from_phase, 'from_state', ${event}.from_state, 'from_tags', ${event}.from_tags,
    'to_phase', ${event}.to_phase, 'to_state', ${event}.to_state, 'to_tags', ${event}.to_tags)`;
}

/** The head of the log, as text. */
export const headOfLog: Sql = sql`(SELECT seq::text FROM event_log)`;

/** All conditions together; none of them: true. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : Prisma.join([...conditions], " AND ", "(", ")");
}

export { raw, sql };
