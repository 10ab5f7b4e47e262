/**
 * The process that holds WebSocket clients: each with its own connection and an operation id of its own, as clients
 * have. It is forked by `audience.mjs`.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { WebSocket } from "ws";
import { now } from "../peers/publishing.mjs";
import { EVENT_MARK } from "../questions/feed.mjs";

/**
 * @typedef {object} Opening
 * @property {"open"} kind
 * @property {string} url
 * @property {number} count
 * @property {string} document The subscription that each begins.
 *
 * @typedef {{ kind: "receive", events: number }} Receiving Answered once each client that reads has so many more.
 * @typedef {{ kind: "pause", clients: number }} Pausing The first clients read no more.
 * @typedef {{ kind: "hear" }} Hearing Answered with what was heard so far.
 *
 * @typedef {object} Heard
 * @property {number} least How many events the client got that got the fewest.
 * @property {number} all How many all got together.
 *
 * @typedef {object} Received
 * @property {readonly Float64Array[]} times For each client that reads, when it got each event, in the milliseconds
 *   of `now()`.
 */

/** @typedef {{ socket: WebSocket, times: Float64Array, count: number, heard: number, isPaused: boolean }} Follower */

/** How many clients connect at once. */
const STEP = 50;
const mark = Buffer.from(EVENT_MARK);
/** @type {Follower[]} */
const followers = [];
let sample = "";
let waiting = 0;
let onReceived = () => {};

process.on("message", async (/** @type {Opening | Receiving | Pausing | Hearing} */ order) => {
  switch (order.kind) {
    case "open":
      for (let opened = 0; opened < order.count; opened += STEP) {
        const count = Math.min(STEP, order.count - opened);
        followers.push(...(await Promise.all(Array.from({ length: count }, () => follow(order)))));
      }
      process.send?.("open");
      return;
    case "receive": {
      const reading = followers.filter(({ isPaused }) => !isPaused);
      for (const follower of reading) {
        follower.times = new Float64Array(order.events);
        follower.count = 0;
      }
      waiting = reading.length;
      onReceived = () => process.send?.({ times: reading.map(({ times }) => times), sample });
      process.send?.("receiving");
      return;
    }
    case "pause":
      for (const follower of followers.slice(0, order.clients)) {
        follower.isPaused = true;
        follower.socket.pause();
      }
      process.send?.("paused");
      return;
    case "hear": {
      const heard = followers.map((follower) => follower.heard);
      process.send?.({ least: Math.min(...heard), all: heard.reduce((sum, count) => sum + count, 0) });
      return;
    }
    default:
      throw new Error(`an unknown order: ${JSON.stringify(order)}`);
  }
});

/**
 * @param {Opening} opening
 * @returns {Promise<Follower>}
 */
async function follow({ url, document }) {
  const socket = new WebSocket(url, "graphql-transport-ws", { perMessageDeflate: false });
  await once(socket, "open");
  socket.send('{"type":"connection_init"}');
  await once(socket, "message");
  const follower = { socket, times: new Float64Array(0), count: 0, heard: 0, isPaused: false };
  socket.on("message", (/** @type {Buffer} */ message) => receive(follower, message));
  socket.on("error", (error) => process.stderr.write(`a client: ${error}\n`));
  socket.send(JSON.stringify({ id: randomUUID(), type: "subscribe", payload: { query: document } }));
  return follower;
}

/**
 * @param {Follower} follower
 * @param {Buffer} message
 */
function receive(follower, message) {
  if (!message.includes(mark)) {
    if (message.includes('"errors"') || message.includes('"type":"error"'))
      throw new Error(message.toString());
    return;
  }
  follower.heard += 1;
  if (follower.count === follower.times.length) return;
  follower.times[follower.count] = now();
  follower.count += 1;
  if (follower.count < follower.times.length) return;
  waiting -= 1;
  if (waiting > 0) return;
  sample = message.toString();
  onReceived();
}
