/** Text that is put together in order, though some of its parts come later. */

export type Later<Value> = Value | Promise<Value>;

export class Text {
  #ready: string;
  /** What stands before `#ready`, from the first part on that was not there at once. */
  #before: Later<string>[] | null = null;

  constructor(begin: string) {
    this.#ready = begin;
  }

  add(part: Later<string>): void {
    if (typeof part === "string") {
      this.#ready += part;
      return;
    }
    this.#before ??= [];
    this.#before.push(this.#ready, part);
    this.#ready = "";
  }

  /** The whole text, at once if it can be. */
  end(last: string): Later<string> {
    const ready = this.#ready + last;
    if (this.#before === null) return ready;
    return Promise.all(this.#before).then((parts) => parts.join("") + ready);
  }

  /** Fails with `error`, once none of the parts is under way any more. */
  fail(error: unknown): Promise<never> {
    if (this.#before === null) throw error;
    return Promise.allSettled(this.#before).then(() => {
      throw error;
    });
  }
}
