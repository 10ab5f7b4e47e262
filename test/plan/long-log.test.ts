import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restartAltered } from "../support/alterations.js";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, run, succeed } from "../support/plans.js";

/** Where numbers of 32 bits end, and where JavaScript's no longer tell neighbours apart. */
const HEADS = ["2147483648", "9007199254740993"];

const EVENTS =
  "edges { cursor node { seq planVersion } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } asOf";

interface Page {
  readonly edges: readonly {
    readonly cursor: string;
    readonly node: { readonly seq: string; readonly planVersion: number };
  }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string;
    readonly endCursor: string;
  };
  readonly asOf: string;
}

describe.each(appHomes)("a log that has grown long ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  it.each(HEADS)("goes on by one after %s, and every cursor leads to its place", async (head) => {
    const old = await createPlan(app);
    const early = (await succeed(app, "setTags", { planId: old.id, tags: ["early"] })).cursor;
    app = await restartAltered(app, [`UPDATE event_log SET seq = ${head}`]);
    const { asOf: before } = await app.ask<{ asOf: string }>("{ asOf }");
    const next = (count: bigint) => String(BigInt(head) + count);

    const feed = await app.events(
      "subscription($after: EventCursor) { planEvents(after: $after) { __typename ... on PlanEventItem { cursor event { seq } } } }",
      { after: before },
    );
    const { id: planId } = await createPlan(app, { idempotencyKey: head });
    const cursors = [
      (await succeed(app, "startPhase", { planId })).cursor,
      (await succeed(app, "completePhase", { planId })).cursor,
    ];
    expect(
      (
        await run(app, "createPlan", {
          actionName: "local/review",
          projectLinks: [{ projectName: "local/shop" }],
          idempotencyKey: head,
        })
      ).plan.id,
    ).toBe(planId);

    const { plan, planEvents, after, back, counts } = await app.ask<
      Record<"planEvents" | "after" | "back", Page> & { plan: { events: Page }; counts: { asOf: string } }
    >(
      `query($id: ULID!, $before: EventCursor, $after: EventCursor) {
        plan(id: $id) { events { ${EVENTS} } }
        planEvents(last: 3) { ${EVENTS} }
        after: planEvents(first: 1, after: $before) { ${EVENTS} }
        back: planEvents(last: 1, before: $after) { ${EVENTS} }
        counts: planCounts { asOf }
      }`,
      { id: planId, before, after: cursors[1] },
    );
    const seqs = ({ edges }: Page) => edges.map(({ node }) => node.seq);
    expect(seqs(plan.events)).toEqual([next(1n), next(2n), next(3n)]);
    expect(seqs(planEvents)).toEqual(seqs(plan.events));
    expect(planEvents.edges.slice(1).map(({ cursor }) => cursor)).toEqual(cursors);
    expect([planEvents.asOf, counts.asOf]).toEqual([cursors[1], cursors[1]]);
    expect(seqs(after)).toEqual([next(1n)]);
    expect(after.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    expect(seqs(back)).toEqual([next(2n)]);
    expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });

    const live = [await feed.next(), await feed.next(), await feed.next()];
    feed.drop();
    expect(live.map((item) => item?.data?.data)).toEqual(
      planEvents.edges.map(({ cursor, node }) => ({
        planEvents: { __typename: "PlanEventItem", cursor, event: { seq: node.seq } },
      })),
    );
    const resumed = await app.events(
      "subscription($after: EventCursor) { planEvents(after: $after) { ... on PlanEventItem { event { seq planId } } } }",
      { after: cursors[0] },
    );
    expect((await resumed.next())?.data?.data).toEqual({ planEvents: { event: { seq: next(3n), planId } } });
    resumed.drop();
    const across = await app.ask<{ planEvents: Page }>(
      `query($after: EventCursor) { planEvents(first: 1, after: $after) { ${EVENTS} } }`,
      { after: early },
    );
    expect(seqs(across.planEvents)).toEqual([next(1n)]);
  });
});
