import { expect, it } from "vitest";
import { EventRing } from "../../src/events/ring.js";
import type { PlanEvent } from "../../src/plan/event.js";

function event(seq: bigint, fields: Partial<PlanEvent> = {}): PlanEvent {
  return {
    seq,
    planId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    planVersion: 1,
    type: "PLAN_CREATED",
    at: "2026-03-29T01:02:03.045Z",
    actor: "local/anonymous",
    automatic: false,
    data: {},
    rootPlanId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    actionName: "local/action",
    projectNames: [],
    from: null,
    to: { phase: "STRATEGIZE", state: "QUEUED", tags: [] },
    ...fields,
  };
}

it("the ring holds the newest events, and no more than it may", () => {
  const ring = new EventRing({ maxEvents: 3, maxBytes: 1_000_000 });
  for (let seq = 1n; seq <= 5n; seq += 1n) ring.add(event(seq));
  expect(ring.size).toBe(3);
  expect([1n, 2n, 3n, 4n, 5n, 6n].map((seq) => ring.get(seq)?.seq)).toEqual([
    undefined,
    undefined,
    3n,
    4n,
    5n,
    undefined,
  ]);
});

it("the ring weighs what is in an event: data, names and tags", () => {
  const large = "x".repeat(5_000);
  for (const fields of [
    { data: { large } },
    { projectNames: [large] },
    { to: { phase: "STRATEGIZE", state: "QUEUED", tags: [large] } },
  ] as const) {
    const ring = new EventRing({ maxEvents: 100, maxBytes: 25_000 });
    for (let seq = 1n; seq <= 10n; seq += 1n) ring.add(event(seq, fields));
    expect(ring.size).toBe(2);
  }
});

it("the ring holds nothing where a single event is too much, and goes on after it", () => {
  const ring = new EventRing({ maxEvents: 100, maxBytes: 3_000 });
  ring.add(event(1n));
  ring.add(event(2n, { data: { large: "x".repeat(5_000) } }));
  expect(ring.size).toBe(0);
  ring.add(event(3n));
  expect(ring.get(3n)?.seq).toBe(3n);
});

it("the ring begins anew behind a gap, and drops across it without a walk", () => {
  const ring = new EventRing({ maxEvents: 2, maxBytes: 1_000_000 });
  const far = 2n ** 62n;
  for (const seq of [1n, 2n, far, far + 1n, far + 2n]) ring.add(event(seq));
  expect([1n, 2n, far, far + 1n, far + 2n].map((seq) => ring.get(seq)?.seq)).toEqual([
    undefined,
    undefined,
    undefined,
    far + 1n,
    far + 2n,
  ]);
});
