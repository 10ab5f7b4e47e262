/** One client that stops reading while events go on: it may neither end the server nor hold up the others. */
import { once } from "node:events";
import { publish } from "../load/publisher.mjs";
import { rowsOf } from "../machinery/rows.mjs";
import { startPeer } from "../machinery/servers.mjs";
import { takeTurns } from "../machinery/turns.mjs";
import { follow, openFeeds, PEERS } from "../places/feeds.mjs";
import { FOLLOW_WITH_DATA } from "../questions/feed.mjs";

const READERS = 5;
/** Large enough for the buffers of the system to be full soon. */
const NOTE_BYTES = 32 * 1024;
const STEP = 100;
/** More than the buffers of the system and of one subscription together hold, in the documented set-up. */
const ENOUGH_TO_END = 2_000;

/** @type {import("../main.mjs").Work<import("../places/feeds.mjs").Feeds>} */
export const pausedClient = {
  name: "paused-client",
  title: "one of the clients reads no more",
  open: openFeeds,
  async measure({ subject }, { options, note }) {
    const events = options.quick ? 400 : 5_000;
    const paused = `${subject.name}, one client paused`;
    const none = `${subject.name}, none paused`;
    const turns = [
      { name: paused, measure: () => perSecond(subject, events, 1) },
      { name: none, measure: () => perSecond(subject, events, 0) },
    ];
    const samples = await takeTurns(turns, options.quick ? 1 : 3);
    note(`${subject.name} went on after ${events} events`);
    note(`${PEERS.yoga} ${(await survives(ENOUGH_TO_END)) ? "went on" : "ended of it"}`);
    return rowsOf("paused-client", paused, samples, { unit: "messages/s", goals: { [none]: 0.9 } });
  },
};

/**
 * Whether the documented set-up still runs after so many events, one of its clients being paused.
 * @param {number} events
 */
async function survives(events) {
  const server = await startPeer(PEERS.yoga, "yoga-feed.mjs", { databaseUrl: "", mayFail: true });
  const ended = once(server.process, "exit").then(() => false);
  const feed = { name: server.name, server, publisher: server.process };
  const went = perSecond(feed, events, 1).then(
    () => true,
    () => ended,
  );
  try {
    return await Promise.race([ended, went]);
  } finally {
    await server.stop();
  }
}

/**
 * How many messages a second reached the clients that read.
 * @param {import("../places/feeds.mjs").Feed} feed
 * @param {number} events
 * @param {number} paused
 */
async function perSecond(feed, events, paused) {
  const audience = await follow(feed, READERS + paused, FOLLOW_WITH_DATA);
  try {
    await audience.pause(paused);
    const began = performance.now();
    for (let sent = 0; sent < events; sent += STEP) {
      await audience.receive(STEP, () => publish(feed.publisher, STEP, NOTE_BYTES));
    }
    return ((events * READERS) / (performance.now() - began)) * 1000;
  } finally {
    await audience.close();
  }
}
