/** How long an event is on its way to 500 subscribers, at 20 events a second. */
import { publishSteadily } from "../load/publisher.mjs";
import { rowsOf } from "../machinery/rows.mjs";
import { takeTurns } from "../machinery/turns.mjs";
import { openFeeds, PEERS, withAudiences } from "../places/feeds.mjs";

const SUBSCRIBERS = 500;
const EVENTS_PER_SECOND = 20;
/** Before it is measured. */
const WARM_UP_EVENTS = 10;

/** @type {import("../main.mjs").Work<import("../places/feeds.mjs").Feeds>} */
export const delay = {
  name: "delay",
  title: `delay at ${EVENTS_PER_SECOND} events a second to ${SUBSCRIBERS} subscribers`,
  open: openFeeds,
  async measure({ subject, peers }, { options }) {
    const events = EVENTS_PER_SECOND * (options.quick ? 0.5 : 5);
    const feeds = [subject, ...peers];
    /** @type {Map<string, number[]>} */
    const halves = new Map(feeds.map(({ name }) => [name, []]));
    return withAudiences(feeds, SUBSCRIBERS, async (audienceOf) => {
      for (const feed of feeds) await delaysOf(feed, audienceOf(feed), WARM_UP_EVENTS);
      const turns = feeds.map((feed) => ({
        name: feed.name,
        measure: async () => {
          const delays = await delaysOf(feed, audienceOf(feed), events);
          halves.get(feed.name)?.push(1000 / quantile(delays, 0.5));
          return 1000 / quantile(delays, 0.99);
        },
      }));
      const tails = await takeTurns(turns, options.rounds);
      return [
        ...rowsOf("delay: p50", subject.name, halves, { unit: "ms each", goals: {} }),
        ...rowsOf("delay: p99", subject.name, tails, { unit: "ms each", goals: { [PEERS.yoga]: 2 } }),
      ];
    });
  },
};

/**
 * The delays of all messages in milliseconds, the shortest first. An event may have been seen before whoever
 * published it hears that it is out: that is no delay.
 * @param {import("../places/feeds.mjs").Feed} feed
 * @param {import("../load/audience.mjs").Audience} audience
 * @param {number} events
 */
async function delaysOf({ publisher }, audience, events) {
  /** @type {readonly number[]} */
  let published = [];
  const { times } = await audience.receive(events, async () => {
    ({ published } = await publishSteadily(publisher, EVENTS_PER_SECOND, events));
  });
  return Float64Array.from(
    times.flatMap((received) =>
      [...received].map((time, event) => Math.max(0, time - (published[event] ?? 0))),
    ),
  ).sort();
}

/**
 * @param {Float64Array} sorted
 * @param {number} part
 */
function quantile(sorted, part) {
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
}
