/**
 * The process that puts HTTP servers under load: keep-alive connections, each sending its requests one after the
 * other. It is forked by `load.mjs`, does one job after the other, and ends with its channel.
 */
import { Client } from "undici";

/**
 * @typedef {object} Job
 * @property {string} origin
 * @property {string} path
 * @property {number} durationMs
 * @property {string} expected A text that is in each right answer, and in no other.
 * @property {readonly (readonly (readonly string[])[])[]} connections For each connection the groups of bodies that
 *   it sends over and over. A group that was begun is sent to its end, also past the end of the time.
 *
 * @typedef {{ perSecond: number } | { fault: string }} Outcome How many requests were answered in a second.
 */

const HEADERS = { "content-type": "application/json", accept: "application/json" };

process.on("message", (/** @type {Job} */ job) => {
  run(job).then(
    (perSecond) => process.send?.({ perSecond }),
    (error) => process.send?.({ fault: String(error) }),
  );
});

/** @param {Job} job */
async function run({ origin, path, durationMs, expected, connections }) {
  const mark = Buffer.from(expected);
  const began = performance.now();
  const counts = await Promise.all(
    connections.map(async (groups) => {
      const client = new Client(origin, { pipelining: 1 });
      let requests = 0;
      try {
        for (let turn = 0; performance.now() - began < durationMs; turn += 1) {
          for (const body of groups[turn % groups.length] ?? []) {
            await send(client, path, body, mark);
            requests += 1;
          }
        }
      } finally {
        await client.close();
      }
      return requests;
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

/**
 * @param {Client} client
 * @param {string} path
 * @param {string} body
 * @param {Buffer} mark
 * @returns {Promise<void>}
 */
function send(client, path, body, mark) {
  return new Promise((resolve, reject) => {
    /** @type {Buffer[]} */
    const chunks = [];
    client.dispatch(
      { method: "POST", path, headers: HEADERS, body },
      {
        onConnect: () => undefined,
        onHeaders: () => true,
        onData(chunk) {
          chunks.push(chunk);
          return true;
        },
        onComplete() {
          const text = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
          if (text.includes(mark)) resolve();
          else reject(new Error(`a wrong answer: ${text.toString().slice(0, 500)}`));
        },
        onError: reject,
      },
    );
  });
}
