/**
 * A limit, no product: a bare HTTP server around one prepared statement that builds the whole answer in the
 * database. It knows these two questions alone.
 */
import { createServer } from "node:http";
import pg from "pg";
import { answer, bodyOf, databaseUrl, poolSize, serve } from "./serving.mjs";

const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });

const time = (/** @type {string} */ column) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const PLAN = `json_build_object('id', p.id, 'name', p.name, 'actionName', p.action_name, 'description', p.description,
  'phase', p.phase, 'state', p.state, 'tags', p.tags, 'version', p.version,
  'createdAt', ${time("p.created_at")}, 'updatedAt', ${time("p.updated_at")},
  'projectLinks', (SELECT coalesce(json_agg(json_build_object('projectName', l.project_name, 'alias', l.alias,
    'readOnly', l.read_only) ORDER BY l.position), '[]') FROM project_link l WHERE l.plan_id = p.id),
  'invariants', (SELECT coalesce(json_agg(json_build_object('id', i.id, 'text', i.text, 'scope', i.scope,
    'sourceName', i.source_name, 'nonOverridable', i.non_overridable) ORDER BY i.position), '[]')
    FROM invariant i WHERE i.plan_id = p.id),
  'phases', (SELECT coalesce(json_agg(json_build_object('phase', f.phase, 'queuedAt', ${time("f.queued_at")},
    'startedAt', ${time("f.started_at")}, 'finishedAt', ${time("f.finished_at")}, 'attempts', f.attempts)
    ORDER BY f.phase), '[]') FROM phase_progress f WHERE f.plan_id = p.id),
  'childCount', (SELECT count(*)::int FROM plan c WHERE c.parent_plan_id = p.id AND c.archived_at IS NULL))`;

const STATEMENTS = {
  list: `SELECT json_build_object('plans', coalesce(json_agg(${PLAN} ORDER BY p.created_at DESC, p.id DESC), '[]'))::text
    AS text FROM (SELECT * FROM plan WHERE archived_at IS NULL ORDER BY created_at DESC, id DESC LIMIT $1) p`,
  plan: `SELECT json_build_object('plan', (SELECT ${PLAN} FROM plan p WHERE p.id = $1))::text AS text`,
};

const server = createServer(async (request, response) => {
  const { first, id } = await bodyOf(request);
  const question =
    id === undefined
      ? { name: "list", text: STATEMENTS.list, values: [first] }
      : { name: "plan", text: STATEMENTS.plan, values: [id] };
  const { rows } = await pool.query(question);
  answer(response, rows[0].text);
});
await serve(server);
