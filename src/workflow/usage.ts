/** What one answer takes of workflow plans, with an end to each: their texts are large, and items lead to each other. */

/** Dependencies multiply with each level that is asked for, so there is a limit on all of them together. */
export const REACHED_ITEMS_LIMIT = 50_000;

export class Usage {
  #itemsLeft = REACHED_ITEMS_LIMIT;
  #heldLeft: number;
  #shownLeft: number;
  readonly #held = new Set<string>();

  /** `maxTextBytes` bounds the texts that are held while the answer is made, and those that are shown in it. */
  constructor(maxTextBytes: number) {
    this.#heldLeft = maxTextBytes;
    this.#shownLeft = maxTextBytes;
  }

  /** What of texts may still be held, in bytes. */
  get heldLeft(): number {
    return Math.max(this.#heldLeft, 0);
  }

  /** Counts a text that was read, each time; what is read again may be held twice. */
  read(digest: string, text: string): void {
    this.#heldLeft -= text.length;
    this.#held.add(digest);
  }

  /** Counts the text of a digest unless it is counted already; whether it may be held. */
  hold(digest: string, text: string): boolean {
    if (this.#held.has(digest)) return true;
    this.#heldLeft -= text.length;
    if (this.#heldLeft < 0) return false;
    this.#held.add(digest);
    return true;
  }

  /** Whether any more text may be shown. */
  get mayShow(): boolean {
    return this.#shownLeft > 0;
  }

  /** Counts a text that is shown, each time; whether it may be. */
  show(text: string): boolean {
    this.#shownLeft -= text.length;
    return this.#shownLeft >= 0;
  }

  /** Counts items that are reached from others; whether they may be. */
  reach(items: number): boolean {
    this.#itemsLeft -= items;
    return this.#itemsLeft >= 0;
  }
}
