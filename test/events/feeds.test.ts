import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { createPlan, succeed } from "../support/plans.js";

const FEED = `subscription($after: EventCursor, $filter: PlanEventFilter) {
  planEvents(after: $after, filter: $filter) {
    __typename
    ... on PlanEventItem { cursor isReplay event { seq type planVersion from { phase state } to { phase state } } plan { id } }
    ... on FeedCheckpoint { cursor }
    ... on FeedReset { reason resumeAt }
  }
}`;

interface FeedData {
  readonly planEvents: {
    readonly event?: {
      readonly type: string;
      readonly planVersion: number;
      readonly from: { readonly state: string } | null;
      readonly to: { readonly state: string };
    };
  };
}

describe.each(appHomes)("feeds ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  it("five fast transitions are five events, each with its own from and to, over SSE and over WebSocket", async () => {
    const { id: planId } = await createPlan(app);
    const stream = await app.events(FEED, { filter: { planIds: [planId] } });
    const socket = await app.socket();
    socket.send({
      id: "1",
      type: "subscribe",
      payload: { query: FEED, variables: { filter: { planIds: [planId] } } },
    });
    await socket.next();
    await stream.next();
    await succeed(app, "startPhase", { planId });
    await succeed(app, "failPhase", { planId, message: "no" });
    await succeed(app, "retryPhase", { planId });
    await succeed(app, "startPhase", { planId });
    await succeed(app, "completePhase", { planId });
    const expected = [
      ["PHASE_STARTED", 2, "QUEUED", "PROCESSING"],
      ["PHASE_FAILED", 3, "PROCESSING", "ERRORED"],
      ["PHASE_RETRIED", 4, "ERRORED", "QUEUED"],
      ["PHASE_STARTED", 5, "QUEUED", "PROCESSING"],
      ["PHASE_COMPLETED", 6, "PROCESSING", "COMPLETE"],
    ];
    const moves = ({ planEvents: { event } }: FeedData) => [
      event?.type,
      event?.planVersion,
      event?.from?.state,
      event?.to.state,
    ];
    const overSse = [];
    const overWebSocket = [];
    for (const _ of expected) {
      overSse.push(moves((await stream.next())?.data?.data as unknown as FeedData));
      overWebSocket.push(moves(((await socket.next()).payload as { data: FeedData }).data));
    }
    expect(overSse).toEqual(expected);
    expect(overWebSocket).toEqual(expected);
    stream.drop();
    socket.socket.close();
    await socket.closed;
  });

  it("a plan that is followed is shown at once, after each move, and ends when it is final", async () => {
    const { id } = await createPlan(app);
    const stream = await app.events(
      "subscription($id: ULID!) { planUpdated(id: $id) { version state children { totalCount } } }",
      { id },
    );
    expect((await stream.next())?.data?.data).toEqual({
      planUpdated: { version: 1, state: "QUEUED", children: { totalCount: 0 } },
    });
    await succeed(app, "cancelPlan", { planId: id });
    expect((await stream.next())?.data?.data).toEqual({
      planUpdated: { version: 2, state: "CANCELLED", children: { totalCount: 0 } },
    });
    expect((await stream.next())?.event).toBe("complete");
    expect(await stream.next()).toBe(null);
  });

  it("counts that are followed come at once and after each change", async () => {
    const stream = await app.events(
      'subscription { planCounts(filter: { tags: { any: ["c"] } }) { total } }',
    );
    expect((await stream.next())?.data?.data).toEqual({ planCounts: { total: 0 } });
    await createPlan(app, { tags: ["c"] });
    expect((await stream.next())?.data?.data).toEqual({ planCounts: { total: 1 } });
    stream.drop();
  });
});
