/** How a process is told to publish events: over IPC, so that all publish at the same pace. */

/**
 * @typedef {object} Order
 * @property {number} publish How many events.
 * @property {number} noteBytes The length of a text that each carries.
 *
 * @typedef {object} Published
 * @property {readonly number[]} published When each was handed over, in the milliseconds of `now()`.
 */

/** Milliseconds of a clock that all processes of the machine share. */
export function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** How many events of one order go out at once: what one transaction changes, or one turn publishes. */
const TOGETHER = 10;

/**
 * Publishes what is ordered. `publish` calls `handedOver` at the moment from which its events can reach subscribers.
 * @param {(count: number, noteBytes: number, handedOver: () => void) => unknown} publish
 */
export function answerPublishing(publish) {
  process.on("message", async (/** @type {Order | string} */ order) => {
    if (typeof order === "string") return;
    /** @type {number[]} */
    const published = [];
    while (published.length < order.publish) {
      const count = Math.min(TOGETHER, order.publish - published.length);
      await publish(count, order.noteBytes, () => published.push(...new Array(count).fill(now())));
      // Subscribers get their turn in between, as they would between two requests.
      await new Promise(setImmediate);
    }
    process.send?.({ published });
  });
}
