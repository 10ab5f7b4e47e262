/** What a subscriber that nothing happens for costs the server's memory. */
import { setTimeout as pause } from "node:timers/promises";
import { rowsOf } from "../machinery/rows.mjs";
import { follow, openFeeds, PEERS } from "../places/feeds.mjs";

/** @type {import("../main.mjs").Work<import("../places/feeds.mjs").Feeds>} */
export const idleMemory = {
  name: "idle-memory",
  title: "memory of an idle subscriber",
  // A place of its own: what servers have kept from other works would hide what a subscriber costs.
  open: (run) => openFeeds(run),
  async measure({ subject, peers }, { options }) {
    const subscribers = options.quick ? 500 : 2_000;
    /** @type {Map<string, number[]>} */
    const perKibibyte = new Map();
    for (const { name, ...feed } of [subject, ...peers]) {
      // The first time makes what is made once, compiled code above all, which a small audience does not bring about.
      await (await follow({ name, ...feed }, subscribers)).close();
      const before = await settled(feed.server);
      const audience = await follow({ name, ...feed }, subscribers);
      const after = await settled(feed.server);
      await audience.close();
      perKibibyte.set(name, [(subscribers * 1024) / (after - before)]);
    }
    return rowsOf("idle-memory", subject.name, perKibibyte, {
      unit: "KiB each",
      goals: { [PEERS.bare]: 0.66 },
    });
  },
};

/**
 * The memory once it no longer falls: what has left is let go of some time after its clients have seen it end.
 * @param {import("../machinery/servers.mjs").Server} server
 */
async function settled(server) {
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    const bytes = await server.memoryBytes();
    if (bytes > 0.998 * last) return bytes;
    last = bytes;
    await pause(500);
  }
}
