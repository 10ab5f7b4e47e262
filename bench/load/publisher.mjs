/** Orders events of a process, and starts the process that makes those of the product. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const CHANGES = fileURLToPath(new URL("changes.mjs", import.meta.url));

/**
 * Starts a process that changes plans of a database by its own hand.
 * @param {string} databaseUrl
 */
export async function startChanges(databaseUrl) {
  const child = fork(CHANGES, [databaseUrl], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  await once(child, "message");
  return child;
}

/**
 * Has a process publish events, and answers when each was handed over. One order at a time.
 * @param {import("node:child_process").ChildProcess} child
 * @param {number} count
 * @param {number} [noteBytes]
 * @returns {Promise<readonly number[]>}
 */
export function publish(child, count, noteBytes = 0) {
  return new Promise((resolve, reject) => {
    const exited = () => reject(new Error("the publishing process has ended"));
    child.on("message", function receive(message) {
      if (typeof message !== "object" || message === null || !("published" in message)) return;
      child.off("message", receive);
      child.off("exit", exited);
      resolve(/** @type {import("../peers/publishing.mjs").Published} */ (message).published);
    });
    child.once("exit", exited);
    child.send({ publish: count, noteBytes });
  });
}

/**
 * Has a process publish one event at a time, so many a second, until `count` are out or `signal` says so.
 * @param {import("node:child_process").ChildProcess} child
 * @param {number} perSecond
 * @param {number} count
 * @param {AbortSignal} [signal]
 */
export async function publishSteadily(child, perSecond, count, signal) {
  const began = performance.now();
  /** @type {number[]} */
  const published = [];
  while (published.length < count && !signal?.aborted) {
    await delay(Math.max(0, began + (published.length * 1000) / perSecond - performance.now()));
    published.push(...(await publish(child, 1)));
  }
  return { published, perSecond: (published.length / (performance.now() - began)) * 1000 };
}
