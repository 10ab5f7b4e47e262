/**
 * Changes of plans as another process of the product would make them: transitions of several plans in one transaction,
 * each with its event, which gets the next number of the log under the lock of its head.
 */

/** Goes on with the circle of `transition.mjs`: start, fail, retry. */
const CHANGE = {
  name: "change",
  text: `WITH head AS (
      UPDATE event_log SET seq = seq + cardinality($1::text[]), at = clock_timestamp()
      RETURNING seq - cardinality($1::text[]) AS seq
    ), chosen AS (
      SELECT p.id, n, state AS from_state, (CASE state WHEN 'QUEUED' THEN 'PROCESSING' WHEN 'PROCESSING' THEN 'ERRORED'
        ELSE 'QUEUED' END)::plan_state AS to_state, (CASE state WHEN 'QUEUED' THEN 'PHASE_STARTED'
        WHEN 'PROCESSING' THEN 'PHASE_FAILED' ELSE 'PHASE_RETRIED' END)::plan_event_type AS type
      FROM unnest($1::text[]) WITH ORDINALITY AS asked(id, n) JOIN plan p ON p.id = asked.id
    ), moved AS (
      UPDATE plan p SET state = to_state, version = version + 1, updated_at = clock_timestamp(),
        error_message = CASE WHEN to_state = 'ERRORED' THEN 'The tests failed.' END
      FROM chosen WHERE p.id = chosen.id
      RETURNING p.id, n, version, updated_at, phase, tags, root_plan_id, action_name, from_state, to_state, type
    ), progressed AS (
      UPDATE phase_progress f SET attempts = attempts + (to_state = 'PROCESSING')::int,
        started_at = CASE WHEN to_state = 'PROCESSING' THEN updated_at ELSE started_at END,
        queued_at = CASE WHEN to_state = 'QUEUED' THEN updated_at ELSE queued_at END
      FROM moved WHERE f.plan_id = moved.id AND f.phase = moved.phase
    )
    INSERT INTO plan_event (seq, plan_id, plan_version, type, at, actor, automatic, data_json, root_plan_id, action_name,
      project_names, from_phase, from_state, from_tags, to_phase, to_state, to_tags)
    SELECT head.seq + n, id, version, type, updated_at, 'local/anonymous', false, $2, root_plan_id, action_name,
      ARRAY(SELECT project_name FROM project_link l WHERE l.plan_id = moved.id ORDER BY position),
      phase, from_state, tags, phase, to_state, tags FROM head, moved ORDER BY n`,
};

/**
 * Moves each of the plans on, all in one transaction.
 * @param {import("pg").ClientBase} client
 * @param {readonly string[]} ids Plans that can be started, failed or retried, each at most once.
 * @param {object} data What each event carries besides.
 * @param {() => void} committing Called when all is written but the commit.
 */
export async function changePlans(client, ids, data, committing) {
  await client.query("BEGIN");
  await client.query({ ...CHANGE, values: [ids, JSON.stringify(data)] });
  committing();
  await client.query("COMMIT");
}
