/** The operations of one client by their ids. Most clients have one at a time, and a table for one is a waste. */

/** An operation that has not ended. */
export interface Operation {
  /** Whether the client has taken it back. */
  readonly isLeft: boolean;
  leave(): void;
}

export class ClientOperations {
  /** The only one, while there is no table. */
  #id: string | null = null;
  #operation: Operation | null = null;
  #table: Map<string, Operation> | null = null;

  get size(): number {
    return this.#table?.size ?? (this.#operation === null ? 0 : 1);
  }

  get(id: string): Operation | null {
    if (this.#table !== null) return this.#table.get(id) ?? null;
    return this.#id === id ? this.#operation : null;
  }

  /** Sets one, in place of the one that has this id. */
  set(id: string, operation: Operation): void {
    if (this.#table === null && (this.#operation === null || this.#id === id)) {
      this.#id = id;
      this.#operation = operation;
      return;
    }
    this.#table ??= this.#asTable();
    this.#table.set(id, operation);
  }

  delete(id: string): void {
    this.#table?.delete(id);
    if (this.#id !== id) return;
    this.#id = null;
    this.#operation = null;
  }

  /** All of them, as they are now. */
  list(): readonly Operation[] {
    if (this.#table !== null) return [...this.#table.values()];
    return this.#operation === null ? [] : [this.#operation];
  }

  /** The only one moves into the table. */
  #asTable(): Map<string, Operation> {
    const table = new Map<string, Operation>();
    if (this.#id !== null && this.#operation !== null) table.set(this.#id, this.#operation);
    this.#id = null;
    this.#operation = null;
    return table;
  }
}
