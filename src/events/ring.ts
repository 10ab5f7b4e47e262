/** The recent events of the log, bounded in number and bytes: a run without gaps that loses its oldest first. */
import type { PlanEvent } from "../plan/event.js";

export interface RingBounds {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

export class EventRing {
  readonly #bounds: RingBounds;
  readonly #events = new Map<bigint, { readonly event: PlanEvent; readonly bytes: number }>();
  #oldest: bigint | null = null;
  #bytes = 0;

  constructor(bounds: RingBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#events.size;
  }

  /** Adds the event after the newest one. */
  add(event: PlanEvent): void {
    const bytes = weight(event);
    this.#events.set(event.seq, { event, bytes });
    this.#oldest ??= event.seq;
    this.#bytes += bytes;
    while (this.#bytes > this.#bounds.maxBytes || this.#events.size > this.#bounds.maxEvents)
      this.#dropOldest();
  }

  get(seq: bigint): PlanEvent | undefined {
    return this.#events.get(seq)?.event;
  }

  #dropOldest(): void {
    if (this.#oldest === null) return;
    this.#bytes -= this.#events.get(this.#oldest)?.bytes ?? 0;
    this.#events.delete(this.#oldest);
    this.#oldest = this.#events.size === 0 ? null : this.#oldest + 1n;
  }
}

/** What an event takes in memory, roughly. */
function weight(event: PlanEvent): number {
  return 1_000 + 2 * JSON.stringify(event.data).length;
}
