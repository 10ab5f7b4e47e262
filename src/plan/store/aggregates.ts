/**
 * The plans that were read lately, bounded in bytes. Every change of a plan raises its version in the same
 * transaction, so a copy with the right version and time is right: nothing is ever invalidated, and any number of
 * processes may write. docs/decisions/versions-check-the-cache.md says what else was considered.
 */
import { LRUCache } from "lru-cache";
import type { Database, RunStatement } from "../../database/database.js";
import type { Plan, Ulid } from "../plan.js";
import { aggregateJson, raw, sql } from "./fragments.js";
import { idIn, type PlanVersion, versionOf } from "./plan-version.js";
import { type AggregateRows, planFromRows } from "./rows.js";

interface Kept {
  readonly version: PlanVersion;
  readonly plan: Plan;
}

export class Aggregates {
  readonly #database: Database;
  readonly #cache: LRUCache<Ulid, Kept>;
  /** What is being read; whoever needs one of these plans waits for it. */
  readonly #reading = new Map<Ulid, Promise<readonly Kept[]>>();

  constructor(database: Database, maxBytes: number) {
    this.#database = database;
    this.#cache = new LRUCache({ maxSize: maxBytes, maxEntrySize: maxBytes });
  }

  /**
   * The plans in just these versions, with one statement for all that are not at hand. Null where one is newer by
   * now: then the question that named them is of the past.
   */
  async inVersions(wanted: readonly PlanVersion[]): Promise<ReadonlyMap<PlanVersion, Plan> | null> {
    const found = new Map<PlanVersion, Plan>();
    const missing = new Set<Ulid>();
    for (const version of wanted) {
      const plan = this.#atHand(version);
      if (plan === null) missing.add(idIn(version));
      else found.set(version, plan);
    }
    if (missing.size > 0) {
      for (const { version, plan } of (await Promise.all(this.#read(missing))).flat())
        found.set(version, plan);
    }
    return wanted.every((version) => found.has(version)) ? found : null;
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
    for (const version of locked) {
      const plan = this.#atHand(version);
      if (plan === null) missing.add(idIn(version));
      else found.set(plan.id, plan);
    }
    for (const id of found.keys()) missing.delete(id);
    if (missing.size > 0)
      for (const { plan } of await this.#load([...missing], run)) found.set(plan.id, plan);
    return found;
  }

  /** A plan as it was just committed; one with the whole of its workflow at hand is too large to be kept like this. */
  keep(plan: Plan): void {
    if (plan.workflow?.content !== undefined) return;
    this.#keep(Object.freeze(plan), JSON.stringify(plan).length);
  }

  #atHand(version: PlanVersion): Plan | null {
    const kept = this.#cache.get(idIn(version));
    return kept?.version === version ? kept.plan : null;
  }

  /**
   * Also over a higher version, which may be of a history that a restored backup ended; an older read that comes late
   * costs one more read.
   */
  #keep(plan: Plan, textLength: number): Kept {
    const kept: Kept = { version: versionOf(plan), plan };
    this.#cache.set(plan.id, kept, { size: OBJECT_FACTOR * textLength });
    return kept;
  }

  /** One statement for those that nobody is reading yet, and what others have begun for the rest. */
  #read(ids: ReadonlySet<Ulid>): readonly Promise<readonly Kept[]>[] {
    const begun = [...ids].map((id) => this.#reading.get(id)).filter((read) => read !== undefined);
    const rest = [...ids].filter((id) => !this.#reading.has(id));
    if (rest.length === 0) return [...new Set(begun)];
    const read = this.#load(rest).finally(() => {
      for (const id of rest) this.#reading.delete(id);
    });
    for (const id of rest) this.#reading.set(id, read);
    return [...new Set(begun), read];
  }

  async #load(ids: readonly Ulid[], run?: RunStatement): Promise<readonly Kept[]> {
    const row = raw("p");
    const statement = sql`SELECT ${aggregateJson(row)}::text AS aggregate FROM plan ${row}
      WHERE ${row}.id = ANY(${[...ids]}::text[])`;
    const { text, values } = statement;
    const rows = await (run === undefined
      ? this.#database.read<{ aggregate: string }>({ text, values, keepsPlan: true })
      : run<{ aggregate: string }>(statement));
    return rows.map(({ aggregate }) =>
      this.#keep(planFromRows(JSON.parse(aggregate) as AggregateRows), aggregate.length),
    );
  }
}

/** How much larger a plan is as objects than as its JSON text, roughly. */
const OBJECT_FACTOR = 3;
