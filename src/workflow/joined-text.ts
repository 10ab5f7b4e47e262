/** A text that is joined from parts, any number of them: a few at a time, so that joining is never long work. */

/** Parts with a comma between each two. Joined bit by bit it would stay a tree of bits, which costs more than it holds. */
export class JoinedText {
  #parts: string[] = [];
  #joined: string[] | undefined;

  add(part: string): void {
    this.#parts.push(part);
    if (this.#parts.length < PARTS_AT_ONCE) return;
    this.#joined ??= [];
    this.#joined.push(this.#parts.join());
    this.#parts = [];
  }

  /** The whole text; nothing is added after it. */
  end(): string {
    const rest = this.#parts.join();
    if (this.#joined === undefined) return rest;
    if (this.#parts.length > 0) this.#joined.push(rest);
    return this.#joined.join();
  }
}

const PARTS_AT_ONCE = 1_024;
