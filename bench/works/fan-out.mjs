/** Events to 500 subscribers as fast as they go: messages a second, and what each costs the server. */
import { publish } from "../load/publisher.mjs";
import { rowsOf } from "../machinery/rows.mjs";
import { takeTurns } from "../machinery/turns.mjs";
import { openFeeds, PEERS, withAudiences } from "../places/feeds.mjs";

const SUBSCRIBERS = 500;

/** @type {import("../main.mjs").Work<import("../places/feeds.mjs").Feeds>} */
export const fanOut = {
  name: "fan-out",
  title: `events to ${SUBSCRIBERS} subscribers of the same document`,
  open: openFeeds,
  async measure({ subject, peers }, { options }) {
    const events = options.quick ? 10 : 100;
    const feeds = [subject, ...peers];
    /** @type {Map<string, number[]>} */
    const perCpuSecond = new Map(feeds.map(({ name }) => [name, []]));
    return withAudiences(feeds, SUBSCRIBERS, async (audienceOf) => {
      const turns = feeds.map((feed) => ({
        name: feed.name,
        measure: async () => {
          const cpuBefore = await feed.server.cpuMicros();
          const { times, published } = await burst(feed, audienceOf(feed), events);
          const cpuMicros = (await feed.server.cpuMicros()) - cpuBefore;
          const messages = events * SUBSCRIBERS;
          perCpuSecond.get(feed.name)?.push((messages / cpuMicros) * 1e6);
          const last = Math.max(...times.map((received) => received.at(-1) ?? 0));
          return (messages / (last - (published[0] ?? 0))) * 1000;
        },
      }));
      // The first round warms up.
      for (const { measure } of turns) await measure();
      for (const counted of perCpuSecond.values()) counted.length = 0;
      const perSecond = await takeTurns(turns, options.rounds);
      return [
        ...rowsOf("fan-out: throughput", subject.name, perSecond, {
          unit: "messages/s",
          goals: { [PEERS.yoga]: 4, [PEERS.bare]: 0.8 },
        }),
        ...rowsOf("fan-out: server", subject.name, perCpuSecond, {
          unit: "µs of CPU each",
          goals: { [PEERS.yoga]: 5 },
        }),
      ];
    });
  },
};

/**
 * @param {import("../places/feeds.mjs").Feed} feed
 * @param {import("../load/audience.mjs").Audience} audience
 * @param {number} events
 */
async function burst({ publisher }, audience, events) {
  /** @type {readonly number[]} */
  let published = [];
  const { times } = await audience.receive(events, async () => {
    published = await publish(publisher, events);
  });
  return { times, published };
}
