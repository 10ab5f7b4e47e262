/**
 * Names for the statements that are asked again and again: under a name, each connection keeps a statement parsed and
 * planned. A connection never gives one back, so names are few and never pass on; all others are planned each time.
 */
import { LRUCache } from "lru-cache";

/** How many statements get a name; each takes some 100 KB of each connection's memory on the server. */
const MAX_NAMES = 100;
/** How often a statement was asked before it gets one. */
const USES_BEFORE_NAME = 16;
/** Of how many statements it is known how often they were asked. */
const MAX_COUNTED = 1_000;

export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #uses = new LRUCache<string, number>({ max: MAX_COUNTED });

  /** To be called for each use. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= MAX_NAMES) return name;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    this.#uses.set(text, uses);
    if (uses > USES_BEFORE_NAME) this.#names.set(text, `phaseline_${this.#names.size + 1}`);
    return undefined;
  }
}
