/** Clients that stop reading: they hold up nobody, fill no memory, and lose nothing. test/soak has the large form. */
import { once } from "node:events";
import { request } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { connectDatabase } from "../../src/database/connect.js";
import { startTestApp } from "../support/app.js";
import { createServerDatabase } from "../support/databases.js";
import { FEED, openFeed, TRANSPORTS } from "../support/feeds.js";
import { openSocket } from "../support/http.js";
import { createPlan } from "../support/plans.js";
import { addPlans, fillLog } from "./filled-log.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const EVENTS = 250;
const EVENT_BYTES = 100_000;
const STALLED = 20;
const MEBIBYTE = 1024 * 1024;

it("clients that stop reading take little memory, delay nobody, and can resume without a loss", async () => {
  const place = await createServerDatabase("migrated");
  const app = await startTestApp(place);
  const first = await createPlan(app);
  const head = (await app.ask<{ asOf: string }>("{ asOf }")).asOf;
  const writer = await connectDatabase(place.config);
  await addPlans(writer, ["large"]);

  const sockets = await Promise.all(Array.from({ length: STALLED / 2 }, () => openSocket(app.endpoint)));
  for (const client of sockets) {
    client.send({ id: "1", type: "subscribe", payload: { query: FEED, variables: { after: head } } });
    client.socket.pause();
  }
  const streams = await Promise.all(
    Array.from({ length: STALLED / 2 }, () => stalledStream(app.endpoint, head)),
  );
  const others = await Promise.all(
    TRANSPORTS.map((transport) => openFeed(app.endpoint, transport, { after: head })),
  );
  const before = memory();
  let peak = 0;
  const watching = others.map(async (feed) => {
    const seqs: number[] = [];
    while (seqs.length < EVENTS) {
      seqs.push(...(await feed.seqs(1)));
      if (seqs.length % 50 === 0) peak = Math.max(peak, memory());
    }
    return seqs;
  });
  await fillLog(writer, "large", EVENTS, JSON.stringify({ text: "x".repeat(EVENT_BYTES) }));
  const all = Array.from({ length: EVENTS }, (_, index) => index + 2);
  expect(await Promise.all(watching)).toEqual([all, all]);
  // Held for each of them, the events would be 480 MiB.
  expect(peak - before).toBeLessThan(200 * MEBIBYTE);

  for (const client of sockets) client.socket.terminate();
  for (const stream of streams) stream.destroy();
  await Promise.all(sockets.map(({ closed }) => closed));
  const resumptions = Array.from({ length: STALLED }, async (_, index) => {
    const transport = index % 2 === 0 ? "websocket" : "sse";
    const resumed = await openFeed(app.endpoint, transport, { after: head, data: false });
    expect(await resumed.seqs(EVENTS)).toEqual(all);
    resumed.drop();
  });
  await Promise.all(resumptions);
  for (const feed of others) feed.drop();
  expect((await app.ask<{ plan: { id: string } }>(`{ plan(id: "${first.id}") { id } }`)).plan).toEqual({
    id: first.id,
  });
  await writer.close();
  await app.close();
});

/** An event stream of which nothing but the head is read. */
async function stalledStream(endpoint: string, after: string) {
  const { hostname, port, pathname } = new URL(endpoint);
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  const sent = request({ hostname, port, path: pathname, method: "POST", headers, agent: false });
  sent.end(JSON.stringify({ query: FEED, variables: { after } }));
  const [response] = await once(sent, "response");
  response.on("error", () => {});
  return sent.on("error", () => {});
}

function memory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
