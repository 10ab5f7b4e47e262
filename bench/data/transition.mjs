/**
 * Transitions of plans in plain SQL, with the rows that the product writes: the plan, its phase, its event. With the
 * head of the log they are as good as the product's own (changes made by another process); without it they are what
 * the same rows cost where no gapless log is kept.
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

/** @param {string} seq An SQL expression. */
const eventText = (
  seq,
) => `INSERT INTO plan_event (seq, plan_id, plan_version, type, at, actor, automatic, data_json,
    root_plan_id, action_name, project_names, from_phase, from_state, from_tags, to_phase, to_state, to_tags)
  SELECT ${seq}, p.id, p.version, $2::plan_event_type, p.updated_at, 'local/anonymous', false, $4, p.root_plan_id, p.action_name,
    ARRAY(SELECT project_name FROM project_link l WHERE l.plan_id = p.id ORDER BY position),
    p.phase, $3::plan_state, p.tags, p.phase, p.state, p.tags FROM plan p WHERE p.id = $1`;

const HEAD = { name: "head", text: "SELECT FROM event_log FOR UPDATE" };
const EVENT_OF_LOG = { name: "event", text: eventText("(SELECT seq + 1 FROM event_log)") };
const ADVANCE = { name: "advance", text: "UPDATE event_log SET seq = seq + 1, at = clock_timestamp()" };

/** The sequence that numbers events where there is no head row: it has gaps, and nobody waits for it. */
const SEQUENCE = "plan_event_number";
const EVENT_OF_SEQUENCE = { name: "event", text: eventText(`nextval('${SEQUENCE}')`) };

/**
 * Makes the sequence, beginning behind the events that are there.
 * @param {import("pg").Pool} pool
 */
export async function prepareSequence(pool) {
  const { rows } = await pool.query("SELECT seq + 1 AS start FROM event_log");
  await pool.query(`CREATE SEQUENCE ${SEQUENCE} START ${rows[0].start}`);
}

/**
 * @typedef {object} Transition
 * @property {string} id The plan.
 * @property {Command | null} command Null takes the one that the plan's state allows.
 * @property {boolean} gapless Whether the event gets the next number of the log, under the lock of its head.
 * @property {object} [data] What else the event carries.
 * @property {() => void} [committing] Called when all is written but the commit.
 */

/**
 * Answers the plan's new state and version, or null if the command is not allowed in its state.
 * @param {import("pg").ClientBase} client
 * @param {Transition} transition
 */
export async function transit(client, { id, command, gapless, data = {}, committing }) {
  await client.query("BEGIN");
  const { rows } = await client.query({ ...LOCK, values: [id] });
  const [plan] = rows;
  const move = Object.entries(MOVES).find(
    ([name, { from }]) => from === plan?.state && (command === null || command === name),
  )?.[1];
  if (move === undefined) {
    await client.query("ROLLBACK");
    return null;
  }
  await client.query({ ...MOVE, values: [id, move.to, move.error] });
  if (gapless) await client.query(HEAD);
  const event = gapless ? EVENT_OF_LOG : EVENT_OF_SEQUENCE;
  await client.query({ ...event, values: [id, move.type, move.from, JSON.stringify(data)] });
  if (gapless) await client.query(ADVANCE);
  committing?.();
  await client.query("COMMIT");
  return { id, state: move.to, version: plan.version + 1 };
}
