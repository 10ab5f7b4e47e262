/** Starts what is measured, each in a process of its own, and ends it. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "./ports.mjs";

const PRODUCT = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const REPORTER = new URL("reporter.mjs", import.meta.url).href;
const START_LIMIT_MS = 60_000;

/** Connections that a server opens to the database: the default of the product and of `pg`. */
export const POOL_SIZE = 10;

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {string} origin Where it listens: `http://127.0.0.1:PORT`.
 * @property {import("node:child_process").ChildProcess} process
 * @property {() => Promise<number>} cpuMicros Processor time that it has used, user and system, in microseconds.
 * @property {() => Promise<number>} memoryBytes Its heap in use and external memory.
 * @property {() => Promise<void>} stop
 *
 * @typedef {object} ServerOptions
 * @property {string} databaseUrl
 * @property {number} [poolSize]
 * @property {boolean} [collectsGarbage] Whether `memoryBytes` collects garbage first.
 * @property {boolean} [mayFail] Whether its last words are of no interest.
 */

/**
 * Starts the product as its README says for production, on a database that it brings up to date. The log of
 * operations is off, because no peer writes one.
 * @param {ServerOptions} options
 */
export function startProduct(options) {
  return start("Phaseline", PRODUCT, options, async (server) => {
    const response = await fetch(`${server.origin}/ready`).catch(() => null);
    return response?.ok ?? false;
  });
}

/**
 * Starts a file of `peers/`, which listens on PORT and says so with `serving()`.
 * @param {string} name
 * @param {string} file
 * @param {ServerOptions} options
 */
export function startPeer(name, file, options) {
  const path = fileURLToPath(new URL(`../peers/${file}`, import.meta.url));
  let isServing = false;
  return start(name, path, options, async (server) => {
    if (!isServing) {
      server.process.on("message", (message) => {
        if (message === "serving") isServing = true;
      });
    }
    return isServing;
  });
}

/**
 * @param {string} name
 * @param {string} path
 * @param {ServerOptions} options
 * @param {(server: Server) => Promise<boolean>} isReady
 * @returns {Promise<Server>}
 */
async function start(name, path, options, isReady) {
  const { databaseUrl, poolSize = POOL_SIZE, collectsGarbage = false, mayFail = false } = options;
  const port = await freePort();
  const child = fork(path, [], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      NODE_NO_WARNINGS: "1",
      GRAPHILE_ENV: "production",
      LOG_LEVEL: "warn",
      HOST: "127.0.0.1",
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      POOL_SIZE: String(poolSize),
      PHASELINE_POOL_SIZE: String(poolSize),
    },
    execArgv: [...(collectsGarbage ? ["--expose-gc"] : []), "--import", REPORTER],
    stdio: ["ignore", "ignore", mayFail ? "ignore" : "inherit", "ipc"],
  });
  child.setMaxListeners(0);
  const server = {
    name,
    origin: `http://127.0.0.1:${port}`,
    process: child,
    cpuMicros: () => ask(child, "cpu", "cpuMicros"),
    memoryBytes: () => ask(child, "memory", "memoryBytes"),
    stop: () => stop(child),
  };
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await isReady(server))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode} before it served`);
    if (Date.now() > deadline) {
      await stop(child);
      throw new Error(`${name} did not serve within ${START_LIMIT_MS} ms`);
    }
    await delay(20);
  }
  return server;
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} question
 * @param {string} key The answer to it is a message that has this key.
 * @returns {Promise<number>}
 */
function ask(child, question, key) {
  return new Promise((resolve) => {
    child.on("message", function receive(message) {
      const value = Object.entries(message).find(([name]) => name === key)?.[1];
      if (value === undefined) return;
      child.off("message", receive);
      resolve(value);
    });
    child.send(question);
  });
}

/** @param {import("node:child_process").ChildProcess} child */
async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await exited;
  clearTimeout(timer);
}
