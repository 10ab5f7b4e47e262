/** One client that stops reading while events go on: it may neither end the server nor hold up the others. */
import { once } from "node:events";
import { publish } from "../load/publisher.mjs";
import { rowsOf } from "../machinery/rows.mjs";
import { startPeer } from "../machinery/servers.mjs";
import { follow, openFeeds, PEERS } from "../places/feeds.mjs";
import { FOLLOW_WITH_DATA } from "../questions/feed.mjs";

const READERS = 20;
/** Large enough for the buffers of the system to be full soon. */
const NOTE_BYTES = 16 * 1024;
const STEP = 100;

/** @type {import("../main.mjs").Work<import("../places/feeds.mjs").Feeds>} */
export const pausedClient = {
  name: "paused-client",
  title: "one of the clients reads no more",
  open: openFeeds,
  async measure({ subject }, { options, note }) {
    const events = options.quick ? 2_000 : 5_000;
    const paused = await perSecond(subject, events, 1);
    const free = await perSecond(subject, events, 0);
    const samples = new Map([
      [`${subject.name}, one client paused`, [paused]],
      [`${subject.name}, none paused`, [free]],
    ]);
    note(`${subject.name} went on after ${events} events`);
    const yoga = await startPeer(PEERS.yoga, "yoga-feed.mjs", { databaseUrl: "" });
    const ended = once(yoga.process, "exit").then(() => "ended");
    const outcome = await Promise.race([
      ended,
      perSecond({ name: yoga.name, server: yoga, publisher: yoga.process }, events, 1).catch(() => ended),
    ]);
    note(`${yoga.name} ${outcome === "ended" ? "ended of it" : "went on"}`);
    await yoga.stop();
    return rowsOf("paused-client", `${subject.name}, one client paused`, samples, {
      unit: "messages/s",
      goals: {},
    });
  },
};

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
