/**
 * How long an event takes from its commit in one process to a subscriber of another, in milliseconds; measured, not
 * judged. `npm run soak -- latency 60`
 */
import { expect, it } from "vitest";
import { createServerDatabase } from "../support/databases.js";
import { openFeed, TRANSPORTS } from "../support/feeds.js";
import { post } from "../support/http.js";
import { startServerProcess } from "../support/server-process.js";
import { summary } from "./numbers.js";
import { soakSeconds } from "./seconds.js";

const CREATE = `mutation { createPlan(input: { actionName: "local/review", projectLinks: [{ projectName: "local/shop" }] }) {
  ... on CommandSuccess { plan { id } } } }`;
const PAUSE_MS = 20;

it("an event that is committed in one process soon arrives in another", async () => {
  const place = await createServerDatabase("migrated");
  const [writer, reader] = await Promise.all([
    startServerProcess(place.config),
    startServerProcess(place.config),
  ]);
  for (const transport of TRANSPORTS) {
    const feed = await openFeed(reader.endpoint, transport);
    await feed.next();
    const replies: number[] = [];
    const arrivals: number[] = [];
    const end = Date.now() + (soakSeconds(60) * 1_000) / TRANSPORTS.length;
    while (Date.now() < end) {
      const asked = performance.now();
      const arrival = feed.event().then(() => arrivals.push(performance.now() - asked));
      const { status } = await post(writer.endpoint, { query: CREATE });
      replies.push(performance.now() - asked);
      expect(status).toBe(200);
      await arrival;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    console.log(`Over ${transport}, from the request to its reply: ${summary(replies)};`);
    console.log(`to its event in the other process: ${summary(arrivals)}.`);
    feed.drop();
  }
  await Promise.all([writer.kill("SIGTERM"), reader.kill("SIGTERM")]);
  await place.remove();
});
