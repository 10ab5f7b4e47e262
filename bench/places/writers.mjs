/** Where transitions are measured: two databases of the same plans, one for each server, since both write. */
import { deepStrictEqual } from "node:assert/strict";
import pg from "pg";
import { fill, planId } from "../data/fill.mjs";
import { CIRCLE } from "../data/transition.mjs";
import { startPeer, startProduct } from "../machinery/servers.mjs";
import * as words from "../questions/transitions.mjs";

/** A connection to the database for each client, so that none waits for another. */
export const CLIENTS = 16;
const PLANS_OF_CLIENT = 50;
/** One more than the clients use, to compare by. */
const COMPARED = planId(CLIENTS * PLANS_OF_CLIENT + 1);

/**
 * @typedef {object} Writer
 * @property {string} name
 * @property {import("../machinery/servers.mjs").Server} server
 * @property {import("../questions/transitions.mjs").Words} words
 *
 * @typedef {object} Writers
 * @property {Writer} subject
 * @property {Writer} limit
 * @property {readonly (readonly string[])[]} plans For each client the ids of its plans.
 * @property {() => Promise<void>} close
 */

/**
 * Starts both, and throws unless the same commands leave the same rows.
 * @param {import("../main.mjs").Run} run
 * @returns {Promise<Writers>}
 */
export async function openWriters({ postgres, note }) {
  const urls = [await postgres.create("writing_subject"), await postgres.create("writing_limit")];
  const [subjectUrl, limitUrl] = /** @type {[string, string]} */ (urls);
  const filling = { plans: CLIENTS * PLANS_OF_CLIENT + 200, links: 2, invariants: 2, waiting: true };
  // The product makes the tables of both.
  await (await startProduct({ databaseUrl: limitUrl })).stop();
  const product = await startProduct({ databaseUrl: subjectUrl, poolSize: CLIENTS });
  await fill(subjectUrl, filling);
  await fill(limitUrl, filling);
  await keepNoCounts(limitUrl);
  const bare = await startPeer("limit: the same rows without a log", "bare-writes.mjs", {
    databaseUrl: limitUrl,
    poolSize: CLIENTS,
  });
  const subject = { name: product.name, server: product, words: words.phaseline };
  const limit = { name: bare.name, server: bare, words: words.bare };
  deepStrictEqual(await rowsLeftBy(limit, limitUrl), await rowsLeftBy(subject, subjectUrl));
  note("the same commands leave the same rows");
  return {
    subject,
    limit,
    plans: Array.from({ length: CLIENTS }, (_, client) =>
      Array.from({ length: PLANS_OF_CLIENT }, (_, plan) => planId(client * PLANS_OF_CLIENT + plan + 1)),
    ),
    async close() {
      await Promise.all([product.stop(), bare.stop()]);
      await postgres.drop("writing_subject");
      await postgres.drop("writing_limit");
    },
  };
}

/**
 * The limit writes its rows without a log, and without the counts of the product too, which would have it wait for the
 * log's head.
 * @param {string} databaseUrl
 */
async function keepNoCounts(databaseUrl) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query("ALTER TABLE plan DISABLE TRIGGER plan_update_counts").finally(() => client.end());
}

/**
 * Takes one plan round the circle and answers what stands in the tables then, without numbers and times.
 * @param {Writer} writer
 * @param {string} databaseUrl
 */
async function rowsLeftBy({ server, words }, databaseUrl) {
  for (const command of [...CIRCLE, ...CIRCLE.slice(0, 2)]) {
    const response = await fetch(server.origin + words.path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: words.command(command, COMPARED),
    });
    const text = await response.text();
    if (!text.includes(words.expected)) throw new Error(`${server.name} answers ${text.slice(0, 1000)}`);
  }
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT p.phase, p.state, p.version, p.error_message, f.attempts, f.started_at > p.created_at AS started,
        (SELECT json_agg(json_build_array(plan_version, type, actor, automatic, root_plan_id, action_name,
          project_names, from_phase, from_state, from_tags, to_phase, to_state, to_tags) ORDER BY seq)
          FROM plan_event e WHERE e.plan_id = p.id) AS events
      FROM plan p JOIN phase_progress f ON f.plan_id = p.id AND f.phase = p.phase WHERE p.id = $1`,
      [COMPARED],
    );
    return rows;
  } finally {
    await client.end();
  }
}
