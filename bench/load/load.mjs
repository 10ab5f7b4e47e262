/** Puts servers under load from a process of its own, since a generator in this one would be measured with them. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const GENERATOR = fileURLToPath(new URL("requests.mjs", import.meta.url));

/**
 * @typedef {object} Load
 * @property {(job: import("./requests.mjs").Job) => Promise<number>} perSecond Answers how many requests a second
 *   the server answered; rejects if one answer was wrong. One job at a time.
 * @property {() => void} close
 */

/** @returns {Load} */
export function openLoad() {
  const child = fork(GENERATOR, [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
  });
  return {
    async perSecond(job) {
      child.send(job);
      const [outcome] = /** @type {[import("./requests.mjs").Outcome]} */ (await once(child, "message"));
      if ("fault" in outcome) throw new Error(`${job.origin}${job.path}: ${outcome.fault}`);
      return outcome.perSecond;
    },
    close: () => child.disconnect(),
  };
}

/**
 * The same bodies for each connection, each connection beginning at another one.
 * @param {number} connections
 * @param {readonly string[]} bodies
 */
export function eachSending(connections, bodies) {
  return Array.from({ length: connections }, (_, connection) => {
    const start = Math.floor((connection * bodies.length) / connections);
    return [...bodies.slice(start), ...bodies.slice(0, start)].map((body) => [body]);
  });
}
