/**
 * The frozen workflow plans in memory. Their texts are never changed, so a plan that was read once, verified by its
 * digest, is kept under that digest, whichever plans have it and whichever operation asked.
 */
import { LRUCache } from "lru-cache";
import { type OpenedPlan, opened } from "./reading.js";
import { openFrozen } from "./validate.js";
import { finishInPieces } from "./work.js";

/** How much larger a plan is as objects, its text among them, than its text alone, roughly. */
const OBJECT_FACTOR = 4;

/** A revision that is asked for. */
export interface Wanted {
  readonly planId: string;
  readonly revision: number;
  readonly digest: string;
}

/** Canonical texts by their digests; null for one that there was no room for. */
export type Texts = ReadonlyMap<string, string | null>;

/** A plan that is being read, or is there. */
export interface Reading {
  /** Null where who began to read it had no room for its text. */
  readonly plan: Promise<OpenedPlan | null>;
  readonly isBegunHere: boolean;
}

export class FrozenPlans {
  readonly #kept: LRUCache<string, OpenedPlan>;
  /** What is being read; whoever needs one of these waits for it. */
  readonly #reading = new Map<string, Promise<OpenedPlan | null>>();

  /** `maxBytes` bounds what is kept. */
  constructor(maxBytes: number) {
    this.#kept = new LRUCache({ maxSize: maxBytes, maxEntrySize: maxBytes });
  }

  get(digest: string): OpenedPlan | undefined {
    return this.#kept.get(digest);
  }

  keep(plan: OpenedPlan): OpenedPlan {
    this.#kept.set(plan.digest, plan, { size: OBJECT_FACTOR * plan.canonicalText.length });
    return plan;
  }

  /** One call of `readTexts` for all that are neither kept nor being read; answers for each in their order. */
  read(all: readonly Wanted[], readTexts: (wanted: readonly Wanted[]) => Promise<Texts>): readonly Reading[] {
    const missing = new Map(
      all
        .filter(({ digest }) => !this.#reading.has(digest) && !this.#kept.has(digest))
        .map((one) => [one.digest, one]),
    );
    if (missing.size > 0) {
      const texts = readTexts([...missing.values()]);
      for (const one of missing.values()) {
        const plan = this.#open(one, texts).finally(() => this.#reading.delete(one.digest));
        this.#reading.set(one.digest, plan);
      }
    }
    return all.map(({ digest }) => ({
      plan: this.#reading.get(digest) ?? Promise.resolve(this.#kept.get(digest) ?? null),
      isBegunHere: missing.has(digest),
    }));
  }

  async #open({ planId, revision, digest }: Wanted, texts: Promise<Texts>): Promise<OpenedPlan | null> {
    const canonicalText = (await texts).get(digest);
    if (canonicalText === null) return null;
    if (canonicalText === undefined) throw new Error(`Plan ${planId} has no workflow revision ${revision}`);
    try {
      const plan = await finishInPieces(openFrozen({ canonicalText, digest }));
      return this.keep(await finishInPieces(opened({ plan, canonicalText, digest })));
    } catch (cause) {
      throw new Error(`The workflow revision ${revision} of plan ${planId} can't be read`, { cause });
    }
  }
}
