/** A log in memory for tests of what reads it: it grows, shrinks, loses its beginning, stalls and fails as told. */
import type { Batch, BatchBounds, EventLog } from "../../src/events/store.js";
import type { PlanEvent } from "../../src/plan/event.js";
import { gate } from "../support/gate.js";

export interface MemoryLog extends EventLog {
  events: PlanEvent[];
  prunedTo: bigint;
  /** What each read is about to answer waits for this. */
  pass: Promise<void>;
  /** Thrown by each read while it is set. */
  failure: Error | null;
  /** How many reads are under way. */
  reading: number;
  /** How many reads there were. */
  reads: number;
  append(...changes: Partial<PlanEvent>[]): void;
}

export function memoryLog(): MemoryLog {
  const log: MemoryLog = {
    identity: "memory",
    events: [],
    prunedTo: 0n,
    pass: Promise.resolve(),
    failure: null,
    reading: 0,
    reads: 0,
    append(...changes) {
      for (const change of changes) log.events.push({ ...EVENT, seq: head() + 1n, ...change });
    },
    extent: () => answer(() => ({ head: head(), prunedTo: log.prunedTo })),
    after: (seq, filter, { events: limit }: BatchBounds) =>
      answer((): Batch => {
        const later = log.events.filter((event) => event.seq > seq);
        const matching = later.filter(({ planId }) => filter?.planIds?.includes(planId) ?? true);
        return { head: head(), prunedTo: log.prunedTo, events: matching.slice(0, limit), readTo: head() };
      }),
    page: () => Promise.reject(new Error("Nobody reads pages of this log.")),
    prune: () => Promise.reject(new Error("Nobody prunes this log.")),
  };
  return log;

  function head(): bigint {
    return log.events.at(-1)?.seq ?? 0n;
  }

  async function answer<Answer>(read: () => Answer): Promise<Answer> {
    log.reads += 1;
    log.reading += 1;
    try {
      if (log.failure !== null) throw log.failure;
      const result = read();
      await log.pass;
      if (log.failure !== null) throw log.failure;
      return result;
    } finally {
      log.reading -= 1;
    }
  }
}

/** Holds every read of the log; the function lets them go. */
export function hold(log: MemoryLog): () => void {
  const { passed, open } = gate();
  log.pass = passed;
  return () => {
    log.pass = Promise.resolve();
    open();
  };
}

const EVENT: PlanEvent = {
  seq: 0n,
  planId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  planVersion: 1,
  type: "PLAN_CREATED",
  at: "2026-03-29T01:02:03.045Z",
  actor: "local/anonymous",
  automatic: false,
  data: {},
  rootPlanId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  actionName: "local/action",
  projectNames: ["local/shop"],
  from: null,
  to: { phase: "STRATEGIZE", state: "QUEUED", tags: [] },
};
