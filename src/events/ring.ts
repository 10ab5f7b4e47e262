/**
 * The recent events of the log, bounded in number and bytes: a run without gaps that loses its oldest first. Where
 * the log itself has a gap, as after pruning, the run begins anew behind it.
 */
import type { PlanEvent } from "../plan/event.js";

export interface RingBounds {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

export class EventRing {
  readonly #bounds: RingBounds;
  readonly #events = new Map<bigint, { readonly event: PlanEvent; readonly bytes: number }>();
  #oldest = 0n;
  /** Where the run goes on. */
  #next = 0n;
  #bytes = 0;

  constructor(bounds: RingBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#events.size;
  }

  /** Adds an event that is newer than all others. */
  add(event: PlanEvent): void {
    if (event.seq !== this.#next) this.#beginAt(event.seq);
    const bytes = weight(event);
    this.#events.set(event.seq, { event, bytes });
    this.#next = event.seq + 1n;
    this.#bytes += bytes;
    while (this.#bytes > this.#bounds.maxBytes || this.#events.size > this.#bounds.maxEvents)
      this.#dropOldest();
  }

  get(seq: bigint): PlanEvent | undefined {
    return this.#events.get(seq)?.event;
  }

  #beginAt(seq: bigint): void {
    this.#events.clear();
    this.#bytes = 0;
    this.#oldest = seq;
  }

  #dropOldest(): void {
    this.#bytes -= this.#events.get(this.#oldest)?.bytes ?? 0;
    this.#events.delete(this.#oldest);
    this.#oldest += 1n;
  }
}

/** What an event takes in memory, roughly. */
function weight({ data, projectNames, from, to }: PlanEvent): number {
  return 1_000 + 2 * JSON.stringify([data, projectNames, from, to]).length;
}
