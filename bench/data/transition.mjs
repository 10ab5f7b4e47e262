/**
 * A transition of a plan in plain SQL, with the rows that the product writes: the plan, its phase, its event. It is what
 * these rows cost where no gapless log is kept.
 */

/** The circle that measuring goes round in, so that plans never run out: start, fail, retry. */
export const CIRCLE = /** @type {const} */ (["startPhase", "failPhase", "retryPhase"]);

/** @typedef {typeof CIRCLE[number]} Command */

/** What a command does, from which state. */
const MOVES = {
  startPhase: { from: "QUEUED", to: "PROCESSING", type: "PHASE_STARTED", error: null },
  failPhase: { from: "PROCESSING", to: "ERRORED", type: "PHASE_FAILED", error: "The tests failed." },
  retryPhase: { from: "ERRORED", to: "QUEUED", type: "PHASE_RETRIED", error: null },
};

const LOCK = {
  name: "lock",
  text: "SELECT phase, state, version, tags FROM plan WHERE id = $1 FOR NO KEY UPDATE",
};

const MOVE = {
  name: "move",
  text: `WITH moved AS (UPDATE plan SET state = $2::plan_state, error_message = $3, version = version + 1,
      updated_at = clock_timestamp() WHERE id = $1 RETURNING id, phase, updated_at)
    UPDATE phase_progress f SET attempts = attempts + ($2 = 'PROCESSING')::int,
      started_at = CASE WHEN $2 = 'PROCESSING' THEN moved.updated_at ELSE started_at END,
      queued_at = CASE WHEN $2 = 'QUEUED' THEN moved.updated_at ELSE queued_at END
    FROM moved WHERE f.plan_id = moved.id AND f.phase = moved.phase`,
};

/** The sequence that numbers events instead of the head of the log: it has gaps, and nobody waits for it. */
const SEQUENCE = "plan_event_number";

const EVENT = {
  name: "event",
  text: `INSERT INTO plan_event (seq, plan_id, plan_version, type, at, actor, automatic, data_json,
    root_plan_id, action_name, project_names, from_phase, from_state, from_tags, to_phase, to_state, to_tags)
  SELECT nextval('${SEQUENCE}'), p.id, p.version, $2::plan_event_type, p.updated_at, 'local/anonymous', false, '{}',
    p.root_plan_id, p.action_name,
    ARRAY(SELECT project_name FROM project_link l WHERE l.plan_id = p.id ORDER BY position),
    p.phase, $3::plan_state, p.tags, p.phase, p.state, p.tags FROM plan p WHERE p.id = $1`,
};

/**
 * Makes the sequence, beginning behind the events that are there.
 * @param {import("pg").Pool} pool
 */
export async function prepareSequence(pool) {
  const { rows } = await pool.query("SELECT seq + 1 AS start FROM event_log");
  await pool.query(`CREATE SEQUENCE ${SEQUENCE} START ${rows[0].start}`);
}

/**
 * Answers the plan's new state and version, or null if the command is not allowed in its state.
 * @param {import("pg").ClientBase} client
 * @param {string} id The plan.
 * @param {Command} command
 */
export async function transit(client, id, command) {
  const move = MOVES[command];
  await client.query("BEGIN");
  const { rows } = await client.query({ ...LOCK, values: [id] });
  const [plan] = rows;
  if (plan?.state !== move.from) {
    await client.query("ROLLBACK");
    return null;
  }
  await client.query({ ...MOVE, values: [id, move.to, move.error] });
  await client.query({ ...EVENT, values: [id, move.type, move.from] });
  await client.query("COMMIT");
  return { id, state: move.to, version: plan.version + 1 };
}
