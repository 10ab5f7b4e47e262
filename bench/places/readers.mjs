/** Where reads are measured: 10,000 plans in one database, and all servers on it. */
import { deepStrictEqual } from "node:assert/strict";
import pg from "pg";
import { fill, planId } from "../data/fill.mjs";
import { startPeer, startProduct } from "../machinery/servers.mjs";
import * as words from "../questions/plans.mjs";

const PLANS = 10_000;
/** The newest plans, and some that stand at the ends and in the middle. */
const COMPARED = { first: 20, plans: [1, 2, 105, 5_000, 9_999, 10_000].map(planId) };

/**
 * @typedef {object} Reader
 * @property {string} name
 * @property {import("../machinery/servers.mjs").Server} server
 * @property {import("../questions/plans.mjs").Words} words
 *
 * @typedef {object} Readers
 * @property {string} databaseUrl
 * @property {Reader} subject
 * @property {readonly Reader[]} peers
 * @property {number} plans
 * @property {() => Promise<void>} close
 */

const PEERS = [
  { name: "PostGraphile 5", file: "postgraphile.mjs", words: words.postgraphile },
  { name: "Yoga + Pothos + plugin-prisma", file: "pothos.mjs", words: words.pothos },
  { name: "Apollo Server + Prisma", file: "apollo.mjs", words: words.apollo },
  { name: "limit: one SQL statement", file: "one-statement.mjs", words: words.oneStatement },
  { name: "limit: ids and versions alone", file: "versions.mjs", words: words.versions },
];

/** Indexes for readers that leave no archived plans out: those of the product all begin with whether a plan is archived. */
const INDEXES_OF_PEERS = [
  "CREATE INDEX ON plan (created_at, id)",
  "CREATE INDEX ON plan (parent_plan_id, created_at, id)",
  "ANALYZE plan",
];

/**
 * Starts everyone, and throws unless all answer the same.
 * @param {import("../main.mjs").Run} run
 * @returns {Promise<Readers>}
 */
export async function openReaders({ postgres, note }) {
  const databaseUrl = await postgres.create("reading");
  const product = await startProduct({ databaseUrl });
  await fill(databaseUrl, { plans: PLANS, links: 3, invariants: 4 });
  const client = new pg.Client(databaseUrl);
  await client.connect();
  for (const statement of INDEXES_OF_PEERS) await client.query(statement);
  await client.end();
  const peers = await Promise.all(
    PEERS.map(async ({ name, file, words }) => ({
      name,
      words,
      server: await startPeer(name, file, { databaseUrl }),
    })),
  );
  const subject = { name: product.name, server: product, words: words.phaseline };
  await compare(subject, peers);
  note(`${peers.length} peers answer as ${subject.name} does`);
  return {
    databaseUrl,
    subject,
    peers,
    plans: PLANS,
    async close() {
      await Promise.all([subject, ...peers].map(({ server }) => server.stop()));
      await postgres.drop("reading");
    },
  };
}

/**
 * @param {Reader} subject
 * @param {readonly Reader[]} peers
 */
async function compare(subject, peers) {
  const right = await answersOf(subject);
  const rightVersions = right.map((plans) =>
    plans.map((/** @type {any} */ { id, version }) => ({ id, version })),
  );
  for (const peer of peers) {
    const expected = peer.words === words.versions ? rightVersions : right;
    deepStrictEqual(await answersOf(peer), expected, `${peer.name} answers otherwise`);
  }
}

/** @param {Reader} reader */
function answersOf({ server, words }) {
  const bodies = [words.list(COMPARED.first), ...COMPARED.plans.map(words.plan)];
  return Promise.all(
    bodies.map(async (body) => {
      const response = await fetch(server.origin + words.path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      const text = await response.text();
      if (!text.includes(words.expected)) throw new Error(`${server.name} answers ${text.slice(0, 1000)}`);
      return words.plans(JSON.parse(text));
    }),
  );
}
