/**
 * Six quiet minutes behind a proxy with an idle limit of 30 s, as is usual, and with the server's own keep-alive.
 * `npm run soak -- quiet-streams`
 */
import { expect, it } from "vitest";
import { createDirectory } from "../support/databases.js";
import { openFeed, TRANSPORTS } from "../support/feeds.js";
import { post } from "../support/http.js";
import { startIdleProxy } from "../support/idle-proxy.js";
import { startServerProcess } from "../support/server-process.js";
import { soakSeconds } from "./seconds.js";

const IDLE_MS = 30_000;
const CREATE = `mutation { createPlan(input: { actionName: "local/review", projectLinks: [{ projectName: "local/shop" }] }) {
  ... on CommandSuccess { plan { id } } } }`;

it("quiet feeds outlive the idle limit of a proxy over both transports, and then bring their event", async () => {
  const place = await createDirectory("migrated");
  const server = await startServerProcess(place.config);
  const proxy = await startIdleProxy(Number(new URL(server.endpoint).port), IDLE_MS);
  const endpoint = `http://127.0.0.1:${proxy.port}/graphql`;
  const feeds = await Promise.all(TRANSPORTS.map((transport) => openFeed(endpoint, transport)));
  for (const feed of feeds) await feed.next();
  await new Promise((resolve) => setTimeout(resolve, soakSeconds(360) * 1_000));
  await post(server.endpoint, { query: CREATE });
  for (const feed of feeds) {
    expect(await feed.event()).toMatchObject({ type: "PLAN_CREATED" });
    feed.drop();
  }
  expect(proxy.dropped()).toBe(0);
  await proxy.close();
  await server.kill("SIGTERM");
  await place.remove();
});
