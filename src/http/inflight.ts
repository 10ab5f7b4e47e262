/** Counts the work that must end before the server may stop. */
export class InFlight {
  #count = 0;
  readonly #waiting: (() => void)[] = [];

  /** Call what it returns when the work has ended; a second call changes nothing. */
  begin(): () => void {
    this.#count += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#count -= 1;
      if (this.#count === 0) for (const wake of this.#waiting.splice(0)) wake();
    };
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
