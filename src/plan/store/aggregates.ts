/**
 * The plans that were read lately, bounded in bytes. Every change of a plan raises its version in the same
 * transaction, so a copy with the right version is right: nothing is ever invalidated, and any number of processes
 * may write (storage.md, Reads).
 */
import { LRUCache } from "lru-cache";
import type { Database } from "../../database/database.js";
import type { Plan, Ulid } from "../plan.js";
import { aggregateJson, raw, sql } from "./fragments.js";
import { type AggregateRows, planFromRows } from "./rows.js";
import type { PlanVersion } from "./tree.js";

export class Aggregates {
  readonly #database: Database;
  readonly #cache: LRUCache<Ulid, Plan>;
  /** What is being read; whoever needs one of these plans waits for it. */
  readonly #reading = new Map<Ulid, Promise<ReadonlyMap<Ulid, Plan>>>();

  constructor(database: Database, maxBytes: number) {
    this.#database = database;
    this.#cache = new LRUCache({ maxSize: maxBytes, maxEntrySize: maxBytes });
  }

  /**
   * The plans in just these versions, with one statement for all that are not at hand. Null where one is newer by
   * now: then the question that named them is of the past.
   */
  async inVersions(wanted: readonly PlanVersion[]): Promise<ReadonlyMap<Ulid, Plan> | null> {
    const found = new Map<Ulid, Plan>();
    const missing = new Set<Ulid>();
    for (const { id, version } of wanted) {
      const plan = this.#cache.get(id);
      if (plan?.version === version) found.set(id, plan);
      else missing.add(id);
    }
    if (missing.size > 0) {
      for (const read of await Promise.all(this.#read(missing))) {
        for (const [id, plan] of read) if (missing.has(id)) found.set(id, plan);
      }
    }
    return wanted.every(({ id, version }) => found.get(id)?.version === version) ? found : null;
  }

  /** One statement for those that nobody is reading yet, and what others have begun for the rest. */
  #read(ids: ReadonlySet<Ulid>): readonly Promise<ReadonlyMap<Ulid, Plan>>[] {
    const begun = [...ids].map((id) => this.#reading.get(id)).filter((read) => read !== undefined);
    const rest = [...ids].filter((id) => !this.#reading.has(id));
    if (rest.length === 0) return [...new Set(begun)];
    const read = this.#load(rest).finally(() => {
      for (const id of rest) this.#reading.delete(id);
    });
    for (const id of rest) this.#reading.set(id, read);
    return [...new Set(begun), read];
  }

  async #load(ids: readonly Ulid[]): Promise<ReadonlyMap<Ulid, Plan>> {
    const plan = raw("p");
    const rows = await this.#database.read<{ aggregate: string }>(
      sql`SELECT ${aggregateJson(plan)}::text AS aggregate FROM plan ${plan} WHERE ${plan}.id = ANY(${[...ids]}::text[])`,
    );
    const plans = new Map<Ulid, Plan>();
    for (const { aggregate } of rows) {
      const loaded = planFromRows(JSON.parse(aggregate) as AggregateRows);
      plans.set(loaded.id, loaded);
      this.#keep(loaded, aggregate.length);
    }
    return plans;
  }

  #keep(plan: Plan, textLength: number): void {
    const known = this.#cache.peek(plan.id);
    if (known !== undefined && known.version >= plan.version) return;
    this.#cache.set(plan.id, plan, { size: OBJECT_FACTOR * textLength });
  }
}

/** How much larger a plan is as objects than as its JSON text, roughly. */
const OBJECT_FACTOR = 3;
