/** Many subscribers that ask the same: what is made for all of them at once, and that nobody gets what is old. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import type { SocketClient } from "../support/http.js";
import { createPlan, succeed } from "../support/plans.js";

const CROWD = 20;
const WITH_PLANS = `subscription($after: EventCursor) {
  planEvents(after: $after) { ... on PlanEventItem { event { planVersion } plan { version tags children { totalCount } } } }
}`;

describe.each(appHomes)("a crowd that follows the same ($name)", ({ start }) => {
  const statements: string[] = [];
  let app: TestApp;
  let planId: string;

  beforeAll(async () => {
    app = await start({ observer: { onStatement: (text) => statements.push(text) } });
    planId = (await createPlan(app)).id;
  });
  afterAll(() => app.close());

  /** Subscribers on sockets of their own, each of which has got its first item. */
  async function follow(count: number, query: string, variables = {}): Promise<SocketClient[]> {
    const clients = await Promise.all(Array.from({ length: count }, () => app.socket()));
    for (const client of clients) client.send({ id: "1", type: "subscribe", payload: { query, variables } });
    for (const client of clients) await client.next();
    return clients;
  }

  const leave = (clients: readonly SocketClient[]) =>
    Promise.all(
      clients.map((client) => {
        client.socket.terminate();
        return client.closed;
      }),
    );

  it.each(["planEvents", "planUpdated"])(
    "of %s costs the database as much as one subscriber",
    async (field) => {
      const query =
        field === "planEvents"
          ? WITH_PLANS
          : `subscription { planUpdated(id: "${planId}") { tags children { totalCount } } }`;
      const plansRead: number[] = [];
      for (const count of [1, CROWD]) {
        const clients = await follow(count, query);
        const before = statements.length;
        const tags = [`${count} follow ${field}`];
        await succeed(app, "setTags", { planId, tags });
        const plan = { tags, children: { totalCount: 0 } };
        const data = field === "planEvents" ? { planEvents: { plan } } : { planUpdated: plan };
        for (const client of clients) expect(await client.next()).toMatchObject({ payload: { data } });
        plansRead.push(statements.slice(before).filter((text) => text.includes("FROM plan p0")).length);
        await leave(clients);
      }
      expect(plansRead[1]).toBe(plansRead[0]);
    },
  );

  it("sees with each event the plan as it is now, also those who come to an event after others did", async () => {
    const { asOf } = await app.ask<{ asOf: string }>("{ asOf }");
    await succeed(app, "setTags", { planId, tags: ["before"] });
    const early = await app.socket();
    const payload = { query: WITH_PLANS, variables: { after: asOf } };
    early.send({ id: "1", type: "subscribe", payload });
    const sees = (tags: readonly string[]) => ({ payload: { data: { planEvents: { plan: { tags } } } } });
    expect(await early.next()).toMatchObject(sees(["before"]));
    for (let round = 0; round < 20; round += 1) {
      await succeed(app, "setTags", { planId, tags: [`round ${round}`] });
      const late = await app.socket();
      // The write is acknowledged, but the tail of the log may not have read it.
      late.send({ id: "1", type: "subscribe", payload });
      expect(await late.next()).toMatchObject(sees([`round ${round}`]));
      await leave([late]);
    }
    await leave([early]);
  });

  it("of counts gets each count, however many they are", async () => {
    const clients = await follow(CROWD, "subscription { planCounts { total } }");
    await createPlan(app);
    for (const client of clients)
      expect(await client.next()).toMatchObject({ payload: { data: { planCounts: { total: 2 } } } });
    await leave(clients);
  });
});
