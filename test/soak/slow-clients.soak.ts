/**
 * A hundred clients that stop reading while 50,000 events of 20 KB are written: the server's memory, what it means
 * for those who read on, and that nobody loses anything. `npm run soak -- slow-clients`
 */
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { connectDatabase } from "../../src/database/connect.js";
import { addPlans, fillLog } from "../events/filled-log.js";
import { createServerDatabase } from "../support/databases.js";
import { FEED, openFeed, TRANSPORTS } from "../support/feeds.js";
import { openSocket, post } from "../support/http.js";
import { startServerProcess } from "../support/server-process.js";
import { mebibytes, residentBytes, summary } from "./numbers.js";

const STALLED = 100;
const EVENTS = 50_000;
const EVENTS_AT_ONCE = 250;
const EVENT_BYTES = 20_000;
/** At most so many events are written in a second: a pace that those who read on can hold. */
const EVENTS_PER_SECOND = 500;
const MEBIBYTE = 1024 * 1024;

it("clients that stop reading cost little memory and nobody's time, and lose nothing", async () => {
  const place = await createServerDatabase("migrated");
  const server = await startServerProcess(place.config);
  const writer = await connectDatabase(place.config);
  const { body } = await post(server.endpoint, { query: "{ asOf }" });
  const after = String(body.data?.asOf);
  const stalled = await Promise.all(Array.from({ length: STALLED }, () => openSocket(server.endpoint)));
  for (const client of stalled) {
    client.send({ id: "1", type: "subscribe", payload: { query: FEED, variables: { after } } });
    client.socket.pause();
  }
  const before = await residentBytes(server.pid);
  const readers = await Promise.all(
    TRANSPORTS.map((transport) => openFeed(server.endpoint, transport, { after })),
  );
  const began = performance.now();
  const written: number[] = [];
  const delays: number[] = [];
  const reading = readers.map(async (feed) => {
    for (let seq = 1; seq <= EVENTS; seq += 1) {
      expect(await feed.seqs(1)).toEqual([seq]);
      delays.push(performance.now() - (written[Math.floor((seq - 1) / EVENTS_AT_ONCE)] ?? performance.now()));
    }
  });
  let peak = before;
  const probes: number[] = [];
  for (let done = 0; done < EVENTS; done += EVENTS_AT_ONCE) {
    const ahead = (done / EVENTS_PER_SECOND) * 1_000 - (performance.now() - began);
    if (ahead > 0) await pause(ahead);
    const planId = `plan ${done}`;
    await addPlans(writer, [planId]);
    await fillLog(writer, planId, EVENTS_AT_ONCE, JSON.stringify({ text: "x".repeat(EVENT_BYTES) }));
    written.push(performance.now());
    const asked = performance.now();
    await post(server.endpoint, { query: "{ plans(first: 1) { totalCount } }" });
    probes.push(performance.now() - asked);
    peak = Math.max(peak, await residentBytes(server.pid));
  }
  await Promise.all(reading);
  console.log(
    `Resident before ${mebibytes(before)} MiB, at most ${mebibytes(peak)} MiB, with ${STALLED} stalled.`,
  );
  console.log(`Each would have held ${mebibytes(EVENTS * EVENT_BYTES)} MiB.`);
  console.log(`From the commit of ${EVENTS_AT_ONCE} events to each one's receipt: ${summary(delays)}`);
  console.log(`A query meanwhile: ${summary(probes)}`);
  expect(peak - before).toBeLessThan(512 * MEBIBYTE);

  for (const client of stalled) client.socket.terminate();
  for (let index = 0; index < STALLED; index += 1) {
    // Each from another place, so that all of the log is read, but not by all.
    const [identity] = Buffer.from(after, "base64url").toString().split("/");
    const from = Math.floor((EVENTS / STALLED) * index);
    const cursor = Buffer.from(`${identity}/${from}`).toString("base64url");
    const resumed = await openFeed(server.endpoint, "websocket", { after: cursor, data: false });
    const count = index === 0 ? EVENTS : EVENTS / STALLED;
    expect(await resumed.seqs(count)).toEqual(Array.from({ length: count }, (_, place) => from + place + 1));
    resumed.drop();
  }
  for (const feed of readers) feed.drop();
  expect(await server.kill("SIGTERM").then(server.exited)).toBe(0);
  await writer.close();
  await place.remove();
});
