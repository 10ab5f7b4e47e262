/** How a process is told to publish events: over IPC, so that all publish at the same pace. */

/**
 * @typedef {object} Order
 * @property {number} publish How many events, one after the other.
 * @property {number} noteBytes The length of a text that each carries.
 *
 * @typedef {object} Published
 * @property {readonly number[]} published When each was handed over, in the milliseconds of `now()`.
 */

/** Milliseconds of a clock that all processes of the machine share. */
export function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * Publishes what is ordered. `publish` calls `handedOver` at the moment from which its event can reach subscribers.
 * @param {(noteBytes: number, handedOver: () => void) => unknown} publish
 */
export function answerPublishing(publish) {
  process.on("message", async (/** @type {Order | string} */ order) => {
    if (typeof order === "string") return;
    /** @type {number[]} */
    const published = [];
    for (let count = 0; count < order.publish; count += 1) {
      await publish(order.noteBytes, () => published.push(now()));
      // Subscribers get their turn between two events, as they would between two requests.
      await new Promise(setImmediate);
    }
    process.send?.({ published });
  });
}
