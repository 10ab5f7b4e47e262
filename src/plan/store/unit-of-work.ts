/** What commands do within one transaction, one after the other: each sees what those before it did. */
import { type Change, side } from "../changes.js";
import type { PlanUnitOfWork, Reach, RememberedCommand } from "../commands/port.js";
import type { PlanEvent } from "../event.js";
import type { Instant, NamespacedName, Plan, Ulid } from "../plan.js";
import type { Deeds, KeptKey } from "./writing.js";

/** What was locked and read for the commands. */
export interface Ground {
  readonly head: bigint;
  readonly at: Instant;
  readonly plans: ReadonlyMap<Ulid, Plan>;
  readonly remembered: ReadonlyMap<string, RememberedCommand>;
}

export class SharedWork {
  readonly #at: Instant;
  readonly #plans: Map<Ulid, Plan>;
  readonly #remembered: Map<string, RememberedCommand>;
  readonly #changes: Change[] = [];
  readonly #events: PlanEvent[] = [];
  readonly #keys: KeptKey[] = [];
  #head: bigint;

  constructor({ head, at, plans, remembered }: Ground) {
    this.#head = head;
    this.#at = at;
    this.#plans = new Map(plans);
    this.#remembered = new Map(remembered);
  }

  get deeds(): Deeds {
    return { changes: this.#changes, events: this.#events, keys: this.#keys };
  }

  /** One command's part. */
  unit(reach: Reach): PlanUnitOfWork {
    return {
      head: this.#head,
      at: this.#at,
      remembered: reach.key === null ? null : (this.#remembered.get(reach.key) ?? null),
      find: (id) => this.#plans.get(id) ?? null,
      append: (actor, changes, used) => {
        const events = changes.map((change, index) => eventOf(change, this.#head + BigInt(index + 1), actor));
        this.#head += BigInt(events.length);
        this.#changes.push(...changes);
        this.#events.push(...events);
        for (const { after } of changes) this.#plans.set(after.id, after);
        const last = events.at(-1);
        if (used !== null && last !== undefined) this.#remember({ ...used, planId: last.planId });
        return this.#head;
      },
      remember: (used, planId) => this.#remember({ ...used, planId }),
    };
  }

  #remember(kept: Omit<KeptKey, "seq" | "createdAt">): void {
    const { key, ...command } = { ...kept, seq: this.#head };
    this.#remembered.set(key, command);
    this.#keys.push({ key, ...command, createdAt: this.#at });
  }
}

function eventOf(
  { before, after, type, automatic, data }: Change,
  seq: bigint,
  actor: NamespacedName,
): PlanEvent {
  return {
    seq,
    planId: after.id,
    planVersion: after.version,
    type,
    at: after.updatedAt,
    actor,
    automatic,
    data,
    rootPlanId: after.rootPlanId,
    actionName: after.actionName,
    projectNames: after.projectLinks.map(({ projectName }) => projectName),
    from: before === null ? null : side(before),
    to: side(after),
  };
}
