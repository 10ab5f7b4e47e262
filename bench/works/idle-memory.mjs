/** What a subscriber that nothing happens for costs the server's memory. */
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
      // The first time makes what is made once.
      await (await follow({ name, ...feed }, 10)).close();
      const before = await feed.server.memoryBytes();
      const audience = await follow({ name, ...feed }, subscribers);
      const after = await feed.server.memoryBytes();
      await audience.close();
      perKibibyte.set(name, [(subscribers * 1024) / (after - before)]);
    }
    return rowsOf("idle-memory", subject.name, perKibibyte, {
      unit: "KiB each",
      goals: { [PEERS.bare]: 0.66 },
    });
  },
};
