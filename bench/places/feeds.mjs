/** Where fan-out is measured: the product and its peers, each with the process that makes its events. */
import { deepStrictEqual } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { fill } from "../data/fill.mjs";
import { openAudience } from "../load/audience.mjs";
import { publish, startChanges } from "../load/publisher.mjs";
import { startPeer, startProduct } from "../machinery/servers.mjs";
import { FOLLOW } from "../questions/feed.mjs";

export const PEERS = {
  yoga: "Yoga + graphql-ws as documented",
  graphqlWs: "graphql-ws alone",
  bare: "limit: bare ws broadcast",
};

const FILES = {
  [PEERS.yoga]: "yoga-feed.mjs",
  [PEERS.graphqlWs]: "graphql-ws-feed.mjs",
  [PEERS.bare]: "bare-feed.mjs",
};

const QUIET_MS = 300;

/**
 * @typedef {object} Feed
 * @property {string} name
 * @property {import("../machinery/servers.mjs").Server} server
 * @property {import("node:child_process").ChildProcess} publisher The process that publishes: a peer itself, and
 *   beside the product one that changes plans in its database.
 *
 * @typedef {object} Feeds
 * @property {Feed} subject
 * @property {readonly Feed[]} peers
 * @property {() => Promise<void>} close
 */

/**
 * Starts everyone, and throws unless all messages are of one form.
 * @param {import("../main.mjs").Run} run
 * @returns {Promise<Feeds>}
 */
export async function openFeeds({ postgres, note }) {
  const databaseUrl = await postgres.create("following");
  const server = await startProduct({ databaseUrl, collectsGarbage: true });
  await fill(databaseUrl, { plans: 1_000, waiting: true });
  const changes = await startChanges(databaseUrl);
  const subject = { name: server.name, server, publisher: changes };
  const peers = await Promise.all(
    Object.entries(FILES).map(async ([name, file]) => {
      const peer = await startPeer(name, file, { databaseUrl, collectsGarbage: true });
      return { name, server: peer, publisher: peer.process };
    }),
  );
  const forms = await Promise.all([subject, ...peers].map(formOf));
  for (const form of forms) deepStrictEqual(form, forms[0]);
  note("all send messages of one form");
  return {
    subject,
    peers,
    async close() {
      changes.disconnect();
      await Promise.all([subject, ...peers].map((feed) => feed.server.stop()));
      await postgres.drop("following");
    },
  };
}

/**
 * Connects clients and waits until they follow. Nothing in the protocol says that a subscription has begun: events
 * are made until each client has got one, and then none until all is quiet.
 * @param {Feed} feed
 * @param {number} count
 * @param {string} [document]
 */
export async function follow({ server, publisher }, count, document = FOLLOW) {
  const audience = await openAudience(server.origin, count, document);
  let heard = await audience.heard();
  while (heard.least === 0) {
    await publish(publisher, 1);
    await delay(QUIET_MS);
    heard = await audience.heard();
  }
  for (let before = 0; heard.all > before; heard = await audience.heard()) {
    before = heard.all;
    await delay(QUIET_MS);
  }
  return audience;
}

/**
 * Gives each feed clients of its own for as long as `act` runs.
 * @template Result
 * @param {readonly Feed[]} feeds
 * @param {number} count
 * @param {(audienceOf: (feed: Feed) => import("../load/audience.mjs").Audience) => Promise<Result>} act
 */
export async function withAudiences(feeds, count, act) {
  const audiences = new Map(
    await Promise.all(feeds.map(async (feed) => /** @type {const} */ ([feed, await follow(feed, count)]))),
  );
  try {
    return await act((feed) => {
      const audience = audiences.get(feed);
      if (audience === undefined) throw new Error(`nobody follows ${feed.name}`);
      return audience;
    });
  } finally {
    await Promise.all([...audiences.values()].map((audience) => audience.close()));
  }
}

/**
 * The kinds of all that stands in one message of an event.
 * @param {Feed} feed
 */
async function formOf(feed) {
  const audience = await follow(feed, 1);
  try {
    const { sample } = await audience.receive(1, () => publish(feed.publisher, 1));
    return kinds(JSON.parse(sample));
  } finally {
    await audience.close();
  }
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function kinds(value) {
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, kinds(part)]));
}
