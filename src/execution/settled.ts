/**
 * Settled fields: their values follow from an object that never changes, so that the text that was once written of it
 * need not be written again. A schema says so among the extensions of its types and fields.
 */

type Settled = { readonly settled: true | ((source: never) => object) };

/**
 * For a field: its value, and whatever else its resolver reads, follows from the object and the arguments. For a type:
 * all of its fields are such ones.
 */
export const settled: Settled = { settled: true };

/** For a field that has no arguments: its value follows from this part of the object alone. */
export function settledBy<Source>(part: (source: Source) => object): Settled {
  return { settled: part };
}

interface Extended {
  readonly extensions: Readonly<Record<string, unknown>>;
}

export function isSettled(definition: Extended): boolean {
  return definition.extensions.settled !== undefined;
}

/** What the field's value follows from, where that is a part of the object. */
export function settlingPart(definition: Extended): ((source: unknown) => object) | null {
  const { settled: part } = definition.extensions;
  return typeof part === "function" ? (part as (source: unknown) => object) : null;
}

/**
 * The texts of settled values, bounded in bytes. Those that were not asked for while half of the memory was filled
 * are forgotten, and so are those whose value is gone.
 */
export class SettledTexts {
  readonly #maxBytes: number;
  #recent: TextsByValue = new WeakMap();
  #earlier: TextsByValue = new WeakMap();
  #recentBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The text of a value under a selection. */
  get(value: object, selection: object): string | undefined {
    const recent = this.#recent.get(value)?.get(selection);
    if (recent !== undefined) return recent;
    const earlier = this.#earlier.get(value)?.get(selection);
    if (earlier !== undefined) this.#keep(value, selection, earlier);
    return earlier;
  }

  /** Keeps the text of a value, if the value can never change. */
  set(value: object, selection: object, text: string): void {
    // Text that was put together is many pieces until it is written; kept is the whole.
    if (Object.isFrozen(value)) this.#keep(value, selection, Buffer.from(text).toString());
  }

  #keep(value: object, selection: object, text: string): void {
    const bytes = OVERHEAD_BYTES + text.length * 2;
    if (this.#recentBytes + bytes > this.#maxBytes / 2) {
      this.#earlier = this.#recent;
      this.#recent = new WeakMap();
      this.#recentBytes = 0;
    }
    if (bytes > this.#maxBytes / 2) return;
    let texts = this.#recent.get(value);
    if (texts === undefined) {
      texts = new Map();
      this.#recent.set(value, texts);
    }
    texts.set(selection, text);
    this.#recentBytes += bytes;
  }
}

/** By the value, then by the compiled selection. */
type TextsByValue = WeakMap<object, Map<object, string>>;

/** What a text takes besides its characters, roughly. */
const OVERHEAD_BYTES = 200;
