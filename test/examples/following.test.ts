/** The clients of examples/ do what their readers will: list, follow, come back, and start over after a reset. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { feedOverSse } from "../../examples/follow-over-sse.mjs";
import { feedOverWebSocket } from "../../examples/follow-over-websocket.mjs";
import { ask, keepFollowing, Plans } from "../../examples/plans.mjs";
import { startTestApp, type TestApp } from "../support/app.js";
import { createDirectory } from "../support/databases.js";
import { createPlan, succeed } from "../support/plans.js";

const transports = [
  { name: "WebSocket", feed: feedOverWebSocket },
  { name: "Server-Sent Events", feed: feedOverSse },
];

describe.each(transports)("the example client over $name", ({ feed }) => {
  it("has what the server has, through a restart of the server and through another database in its place", async () => {
    const first = await createDirectory("migrated");
    const second = await createDirectory("migrated");
    let app = await startTestApp(first);
    const address = await startAddress();
    address.leadsTo(app);
    const { endpoint } = address;
    const before = await createPlan(app);

    const plans = new Plans();
    const stop = new AbortController();
    const following = keepFollowing({
      plans,
      endpoint,
      signal: stop.signal,
      connect: (after: string, signal: AbortSignal) => feed(endpoint, after, signal),
      onChange: () => {},
    });
    const hasAllThatTheServerHas = () => hasThePlansOf(endpoint, plans);
    try {
      await vi.waitFor(hasAllThatTheServerHas, { timeout: 20_000 });
      await succeed(app, "startPhase", { planId: before.id });
      const live = await createPlan(app);
      await vi.waitFor(hasAllThatTheServerHas, { timeout: 20_000 });
      expect(plans.byId.get(before.id)).toMatchObject({ state: "PROCESSING", version: 2 });
      expect(plans.byId.has(live.id)).toBe(true);

      await app.stop();
      app = await startTestApp(first);
      address.leadsTo(app);
      await succeed(app, "completePhase", { planId: before.id });
      await vi.waitFor(hasAllThatTheServerHas, { timeout: 20_000 });
      expect(plans.byId.get(before.id)).toMatchObject({ state: "COMPLETE", version: 3 });

      await app.stop();
      app = await startTestApp(second);
      address.leadsTo(app);
      await createPlan(app);
      await vi.waitFor(hasAllThatTheServerHas, { timeout: 20_000 });
      expect(plans.byId.has(before.id)).toBe(false);
    } finally {
      stop.abort();
      await following;
      await app.stop();
      await address.close();
      await first.remove();
      await second.remove();
    }
  });
});

/** An address that stays while the servers behind it come and go; a port of theirs might be somebody else's meanwhile. */
async function startAddress() {
  let port = 0;
  const server = createServer((client) => {
    const onward = connect(port, "127.0.0.1");
    client.pipe(onward).pipe(client);
    // What ends one half, in whatever way, ends the other.
    client.on("error", () => {}).once("close", () => onward.destroy());
    onward.on("error", () => {}).once("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    leadsTo(app: TestApp) {
      port = Number(new URL(app.endpoint).port);
    },
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

async function hasThePlansOf(endpoint: string, plans: Plans): Promise<void> {
  const { plans: page } = await ask(endpoint, "{ plans(first: 100) { edges { node { id version } } } }", {});
  const onServer = page.edges.map(({ node }: { node: { id: string; version: number } }) => [
    node.id,
    node.version,
  ]);
  const here = [...plans.byId.values()].map(({ id, version }) => [id, version]);
  expect(here.sort()).toEqual(onServer.sort());
}
