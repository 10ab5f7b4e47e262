/**
 * The plans that were read lately, bounded in bytes. Every change of a plan raises its version in the same
 * transaction, so a copy with the right version and time is right: nothing is ever invalidated, and any number of
 * processes may write. docs/decisions/versions-check-the-cache.md says what else was considered.
 */
import { LRUCache } from "lru-cache";
import type { Database, RunStatement } from "../../database/database.js";
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
    for (const one of wanted) {
      const plan = this.#cache.get(one.id);
      if (plan !== undefined && isVersion(plan, one)) found.set(one.id, plan);
      else missing.add(one.id);
    }
    if (missing.size > 0) {
      for (const read of await Promise.all(this.#read(missing))) {
        for (const [id, plan] of read) if (missing.has(id)) found.set(id, plan);
      }
    }
    const isFound = (one: PlanVersion) => {
      const plan = found.get(one.id);
      return plan !== undefined && isVersion(plan, one);
    };
    return wanted.every(isFound) ? found : null;
  }

  /**
   * The plans in the versions that an open transaction has locked, and others as they are now; one statement of it
   * reads those that are not at hand.
   */
  async within(
    run: RunStatement,
    locked: readonly PlanVersion[],
    others: readonly Ulid[],
  ): Promise<ReadonlyMap<Ulid, Plan>> {
    const found = new Map<Ulid, Plan>();
    const missing = new Set(others);
    for (const one of locked) {
      const plan = this.#cache.get(one.id);
      if (plan !== undefined && isVersion(plan, one)) found.set(one.id, plan);
      else missing.add(one.id);
    }
    for (const id of found.keys()) missing.delete(id);
    if (missing.size > 0) for (const [id, plan] of await this.#load([...missing], run)) found.set(id, plan);
    return found;
  }

  /** A plan as it was just committed; one with the whole of its workflow at hand is too large to be kept like this. */
  keep(plan: Plan): void {
    if (plan.workflow?.content !== undefined) return;
    this.#cache.set(plan.id, Object.freeze(plan), { size: OBJECT_FACTOR * JSON.stringify(plan).length });
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

  async #load(
    ids: readonly Ulid[],
    run: RunStatement = this.#database.read,
  ): Promise<ReadonlyMap<Ulid, Plan>> {
    const plan = raw("p");
    const rows = await run<{ aggregate: string }>(
      sql`SELECT ${aggregateJson(plan)}::text AS aggregate FROM plan ${plan} WHERE ${plan}.id = ANY(${[...ids]}::text[])`,
    );
    const plans = new Map<Ulid, Plan>();
    for (const { aggregate } of rows) {
      const loaded = planFromRows(JSON.parse(aggregate) as AggregateRows);
      plans.set(loaded.id, loaded);
      // Also over a higher version, which may be of a history that a restored backup ended; an older read that
      // comes late costs one more read.
      this.#cache.set(loaded.id, loaded, { size: OBJECT_FACTOR * aggregate.length });
    }
    return plans;
  }
}

/** The time tells versions apart that a restored backup let happen twice. */
function isVersion(plan: Plan, { version, updatedAt }: PlanVersion): boolean {
  return plan.version === version && Date.parse(plan.updatedAt) === Date.parse(updatedAt);
}

/** How much larger a plan is as objects than as its JSON text, roughly. */
const OBJECT_FACTOR = 3;
