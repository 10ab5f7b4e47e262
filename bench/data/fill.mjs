/**
 * Fills the product's tables with plans, by statements that make their rows inside the database: a million in a few
 * minutes. What they hold depends on the number of a plan alone, so that tables of all sizes are alike.
 */
import pg from "pg";

/**
 * @typedef {object} Filling
 * @property {number} plans
 * @property {number} [links] Project links of each plan.
 * @property {number} [invariants] Invariants of each plan.
 * @property {boolean} [waiting] All plans are at their beginning (STRATEGIZE, QUEUED) instead of anywhere.
 */

/** How many plans hang on one root; the root is one of them. */
const TREE = 5;

/** The few plans that rare values are on: old ones, the last that a page of the newest plans would come upon. */
export const RARE = { from: 101, to: 120 };

/**
 * The id of a plan by its number: a ULID of digits, so that the database can make it too.
 * @param {number} number
 */
export function planId(number) {
  return `01K${String(number).padStart(23, "0")}`;
}

const BEGINNING = Date.parse("2026-01-01T00:00:00.000Z");
const SECONDS_BETWEEN = 7;

/**
 * A moment after the last change of every plan but the rare ones.
 * @param {number} plans How many there are.
 */
export function lastUpdateBefore(plans) {
  return new Date(BEGINNING + (plans + 1) * SECONDS_BETWEEN * 1000).toISOString();
}

/**
 * Fills an empty database whose tables are there. Indexes are made anew at the end, and everything is counted for
 * the planner.
 * @param {string} url
 * @param {Filling} filling
 */
export async function fill(url, { plans, links = 1, invariants = 1, waiting = false }) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows: indexes } = await client.query(`SELECT indexname, indexdef FROM pg_indexes
      WHERE schemaname = 'public' AND tablename IN ('plan', 'plan_facet', 'plan_name', 'phase_progress', 'project_link', 'invariant', 'plan_event')
      AND indexname NOT IN (SELECT conname FROM pg_constraint)`);
    await client.query("BEGIN");
    // Foreign keys hold by construction; checking them row by row would take most of the time. What other triggers
    // would have kept is made at the end.
    await client.query("SET LOCAL session_replication_role = replica");
    for (const { indexname } of indexes) await client.query(`DROP INDEX "${indexname}"`);
    for (const statement of statements(plans, links, invariants, waiting)) await client.query(statement);
    for (const { indexdef } of indexes) await client.query(indexdef);
    await client.query("COMMIT");
    await client.query("VACUUM ANALYZE");
    await client.query("CHECKPOINT");
  } finally {
    await client.end();
  }
}

/**
 * @param {number} plans
 * @param {number} links
 * @param {number} invariants
 * @param {boolean} waiting
 */
function statements(plans, links, invariants, waiting) {
  const id = (/** @type {string} */ number) => `'01K' || lpad((${number})::text, 23, '0')`;
  const isRare = `(n BETWEEN ${RARE.from} AND ${RARE.to})`;
  const root = `n - (n - 1) % ${TREE}`;
  const beginning = `timestamptz '${new Date(BEGINNING).toISOString()}'`;
  const created = `${beginning} + n * interval '${SECONDS_BETWEEN} seconds'`;
  return [
    `CREATE TEMPORARY TABLE filled ON COMMIT DROP AS
      SELECT n, ${id("n")} AS id, ${id(root)} AS root_id, ${root} = n AS is_root, ${isRare} AS is_rare, ${created} AS at,
        CASE WHEN ${waiting} THEN 1 ELSE 1 + n % 3 + (n % 24 = 23)::int END AS phase,
        CASE WHEN ${waiting} THEN 'QUEUED' WHEN n % 24 = 23 THEN 'COMPLETE'
          ELSE (ARRAY['QUEUED', 'PROCESSING', 'ERRORED', 'COMPLETE', 'CANCELLED'])[1 + n / 3 % 5] END AS state
      FROM generate_series(1, ${plans}) n`,
    "ANALYZE filled",
    `INSERT INTO plan (id, name, action_name, description, definition_of_done, phase, state, automation_level,
        arguments_json, arguments_order, strategy_actor, execution_actor, error_message, tags, parent_plan_id,
        root_plan_id, depth, version, created_at, updated_at, applied_at, cancelled_at)
      SELECT id, 'local/' || CASE WHEN is_rare THEN 'needle-' ELSE 'plan-' END || md5(n::text),
        CASE WHEN is_rare THEN 'local/rare' ELSE 'local/action-' || n % 20 END,
        repeat('What this plan is for, in a few words. ', 4) || n, 'All tests pass and the review is done.',
        (enum_range(NULL::plan_phase))[phase], state::plan_state,
        CASE WHEN is_rare THEN 'FULL_AUTOMATION' WHEN n % 3 = 0 THEN 'REVIEW_BEFORE_APPLY' ELSE 'MANUAL' END::automation_level,
        '{"branch":"main","attempt":' || n % 9 || ',"paths":["src","test"]}', '{branch,attempt,paths}',
        CASE WHEN is_rare THEN 'local/rare' ELSE 'local/strategist-' || n % 5 END, 'local/executor-' || n % 7,
        CASE WHEN state = 'ERRORED' THEN 'The tests failed.' END,
        CASE WHEN is_rare THEN '{rare}'::text[] ELSE ARRAY['tag-' || n % 10, 'area-' || n % 7] END,
        CASE WHEN is_root THEN NULL ELSE root_id END, root_id, CASE WHEN is_root THEN 0 ELSE 1 END, 1, at,
        CASE WHEN is_rare THEN ${beginning} + (${plans} + n) * interval '${SECONDS_BETWEEN} seconds'
          ELSE at + interval '2 seconds' END,
        CASE WHEN phase = 4 THEN at + interval '2 seconds' END,
        CASE WHEN state = 'CANCELLED' THEN at + interval '2 seconds' END
      FROM filled ORDER BY n`,
    `INSERT INTO phase_progress (plan_id, phase, queued_at, started_at, finished_at, attempts)
      SELECT id, (enum_range(NULL::plan_phase))[p], at,
        CASE WHEN p < phase OR state <> 'QUEUED' THEN at + interval '1 second' END,
        CASE WHEN p < phase OR state = 'COMPLETE' THEN at + interval '2 seconds' END,
        CASE WHEN p < phase OR state <> 'QUEUED' THEN 1 ELSE 0 END
      FROM filled, generate_series(1, least(phase, 3)) p ORDER BY n, p`,
    `INSERT INTO project_link (plan_id, position, project_name, alias, read_only)
      SELECT id, k, CASE WHEN is_rare AND k = 0 THEN 'local/rare' ELSE 'local/project-' || (n * 7 + k) % 40 END,
        CASE WHEN k = 1 THEN 'library' END, k = 2
      FROM filled, generate_series(0, ${links - 1}) k ORDER BY n, k`,
    `INSERT INTO invariant (id, plan_id, position, text, scope, source_name, non_overridable)
      SELECT ${id(`n * 16 + k`)}, id, k, 'Rule ' || k || ': the public interface stays as it is, whatever else changes.',
        (enum_range(NULL::invariant_scope))[1 + k % 4], CASE WHEN k % 2 = 1 THEN 'local/action-' || n % 20 END, k = 3
      FROM filled, generate_series(0, ${invariants - 1}) k ORDER BY n, k`,
    `INSERT INTO plan_event (seq, plan_id, plan_version, type, at, actor, automatic, data_json, root_plan_id,
        action_name, project_names, to_phase, to_state, to_tags)
      SELECT n, p.id, 1, 'PLAN_CREATED', p.created_at, 'local/anonymous', false, '{}', p.root_plan_id, p.action_name,
        ARRAY(SELECT project_name FROM project_link l WHERE l.plan_id = p.id ORDER BY position), p.phase, p.state, p.tags
      FROM filled JOIN plan p USING (id) ORDER BY n`,
    ...["plan_facet", "plan_count", "plan_name"].map((table) => `SELECT refill_${table}()`),
    `UPDATE event_log SET seq = ${plans}, at = (SELECT max(created_at) FROM plan)`,
  ];
}
