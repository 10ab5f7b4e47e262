/** Reads that belong to an item of the feeds, made once for all who read the same because of it. */
export class SharedReads<Value> {
  readonly #reads = new WeakMap<object, Map<string, Promise<Value>>>();

  /** What `read` answers, or answers already to whoever asked for the same `key` because of the same object. */
  because(item: object, key: string, read: () => Promise<Value>): Promise<Value> {
    let reads = this.#reads.get(item);
    if (reads === undefined) {
      reads = new Map();
      this.#reads.set(item, reads);
    }
    let value = reads.get(key);
    if (value === undefined) {
      value = read();
      reads.set(key, value);
    }
    return value;
  }
}
