/** The log as its readers get it: the same filter in SQL as in memory, and reads that are bounded in every way. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { matches } from "../../src/events/filter.js";
import { type EventLog, openEventLog } from "../../src/events/store.js";
import { type EventSide, PLAN_EVENT_TYPES, type PlanEvent } from "../../src/plan/event.js";
import { PLAN_PHASES, PLAN_STATES } from "../../src/plan/plan.js";
import type { PlanEventFilter } from "../../src/plan/reading.js";
import { homes, type OpenDatabase } from "../support/databases.js";
import { addEvents, addPlans, fillLog } from "./filled-log.js";

const EVERYTHING = { events: 10_000, bytes: 1_000_000_000 };
const PLANS = ["A", "B", "C", "D"];
const NAMES = ["local/a", "local/b", "hub.example:org/c"];
const TAGS = ["red", "RED", "grün", "a,b", 'a"b', "{}", "NULL", "\\", "😀"];

const side: fc.Arbitrary<EventSide> = fc.record({
  phase: fc.constantFrom(...PLAN_PHASES),
  state: fc.constantFrom(...PLAN_STATES),
  tags: fc.subarray(TAGS, { maxLength: 3 }),
});

const facts = fc.record({
  planId: fc.constantFrom(...PLANS),
  rootPlanId: fc.constantFrom(...PLANS),
  type: fc.constantFrom(...PLAN_EVENT_TYPES),
  actionName: fc.constantFrom(...NAMES),
  projectNames: fc.array(fc.constantFrom(...NAMES), { maxLength: 3 }),
  from: fc.option(side),
  to: side,
});

/** Conditions that are left out, null, empty or of a few values. */
const filters: fc.Arbitrary<PlanEventFilter> = fc.record(
  {
    planIds: someOf([...PLANS, "E"]),
    rootPlanId: fc.option(fc.constantFrom(...PLANS)),
    actionNames: someOf(NAMES),
    projectNames: someOf(NAMES),
    phases: someOf(PLAN_PHASES),
    states: someOf(PLAN_STATES),
    types: someOf(PLAN_EVENT_TYPES),
    tags: someOf(TAGS),
  },
  { requiredKeys: [] },
);

function someOf<Value>(values: readonly Value[]): fc.Arbitrary<Value[] | null> {
  return fc.option(fc.subarray([...values]), { freq: 4 });
}

describe.each(homes)("the log ($name)", ({ open }) => {
  let home: OpenDatabase;
  let log: EventLog;

  beforeAll(async () => {
    home = await open();
    log = await openEventLog(home.database);
  });
  afterAll(() => home.close());

  it("is filtered in the database as in memory, whatever the events and the filter", async () => {
    await addPlans(home.database, PLANS);
    const events = fc.sample(facts, 300).map(
      (fields, index): PlanEvent => ({
        ...fields,
        seq: BigInt(index + 1),
        planVersion: index + 1,
        at: "2026-03-29T01:02:03.045Z",
        actor: "local/anonymous",
        automatic: false,
        data: { index },
      }),
    );
    await addEvents(home.database, events);
    expect((await log.after(0n, null, EVERYTHING)).events).toEqual(events);
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const inDatabase = await log.after(0n, filter, EVERYTHING);
        expect(inDatabase.events.map(({ seq }) => seq)).toEqual(
          events.filter((event) => matches(event, filter)).map(({ seq }) => seq),
        );
      }),
      { numRuns: 150 },
    );
  });

  it("is read in batches of so many events and bytes, but always of one", async () => {
    const { head } = await log.extent();
    await addPlans(home.database, ["large"]);
    await fillLog(home.database, "large", 10, JSON.stringify({ text: "x".repeat(10_000) }));
    const read = async (events: number, bytes: number) =>
      (await log.after(head, null, { events, bytes })).events.map(({ seq }) => Number(seq - head));
    expect(await read(4, 1_000_000)).toEqual([1, 2, 3, 4]);
    expect(await read(100, 25_000)).toEqual([1, 2, 3]);
    expect(await read(100, 1)).toEqual([1]);
    expect(await read(100, 1_000_000)).toHaveLength(10);
  });

  it("is looked through for a rare match a bounded part at a time, and nothing is passed over", async () => {
    await addPlans(home.database, ["many", "rare"]);
    await fillLog(home.database, "many", 7_000);
    await fillLog(home.database, "rare", 1);
    const { head } = await log.extent();
    const bounds = { events: 100, bytes: 100_000 };
    let position = 0n;
    let reads = 0;
    for (;;) {
      const { events, readTo } = await log.after(position, { planIds: ["rare"] }, bounds);
      reads += 1;
      expect(readTo - position).toBeLessThanOrEqual(5_000n);
      position = readTo;
      if (events.length === 0) continue;
      expect(events.map(({ seq }) => seq)).toEqual([head]);
      break;
    }
    expect(reads).toBe(2);
    expect(await log.after(head, { planIds: ["rare"] }, bounds)).toMatchObject({ events: [], readTo: head });
  });
});
