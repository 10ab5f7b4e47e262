/** Clients that follow a feed, in a process of their own. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const FOLLOWERS = fileURLToPath(new URL("followers.mjs", import.meta.url));

/**
 * @typedef {object} Reception
 * @property {readonly Float64Array[]} times For each client that reads, when it got each event.
 * @property {string} sample One message, as it came.
 *
 * @typedef {object} Audience
 * @property {(events: number, act: () => Promise<unknown>) => Promise<Reception>} receive Waits until each client
 *   that reads has got so many events since `act` began.
 * @property {() => Promise<import("./followers.mjs").Heard>} heard
 * @property {(clients: number) => Promise<void>} pause Lets the first clients read no more.
 * @property {() => Promise<void>} close
 */

/**
 * Connects clients that subscribe to the document.
 * @param {string} origin
 * @param {number} count
 * @param {string} document
 * @returns {Promise<Audience>}
 */
export async function openAudience(origin, count, document) {
  const child = fork(FOLLOWERS, [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
  });
  /** @param {object} order */
  function tell(order) {
    child.send(order);
    return answerOf(child);
  }
  await tell({ kind: "open", url: `${origin.replace("http", "ws")}/graphql`, count, document });
  return {
    async receive(events, act) {
      await tell({ kind: "receive", events });
      const received = answerOf(child);
      await Promise.all([act(), received]);
      return /** @type {Promise<Reception>} */ (received);
    },
    heard: async () => /** @type {import("./followers.mjs").Heard} */ (await tell({ kind: "hear" })),
    async pause(clients) {
      await tell({ kind: "pause", clients });
    },
    async close() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<unknown>}
 */
function answerOf(child) {
  return new Promise((resolve, reject) => {
    const exited = () => reject(new Error("the clients' process has ended"));
    child.once("exit", exited);
    child.once("message", (message) => {
      child.off("exit", exited);
      resolve(message);
    });
  });
}
