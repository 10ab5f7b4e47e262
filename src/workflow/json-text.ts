/**
 * Reads JSON text into exact values. Ours, because no library keeps all of it (the order of integer-like keys,
 * `__proto__`, numbers as written) and stays safe on hostile text: this one has no recursion, a limit on depth,
 * and works in pieces. It accepts what Python's json accepts, except NaN and the infinities; of a key that is
 * there twice the last value counts, at the place of the first.
 */
import { type ExactJson, ExactNumber } from "./exact-json.js";
import type { IssueReport, WorkflowIssueCode } from "./issues.js";
import { Pace, type Work } from "./work.js";

/** How deep lists and objects may be nested; the document itself is the first level. */
export const DEPTH_LIMIT = 64;

/** Python refuses longer whole numbers (`sys.int_info.default_max_str_digits`). */
const DIGIT_LIMIT = 4_300;

/** More keys in one object are no plan but an attack. */
export const KEY_LIMIT = 10_000;

/** The value of a text of at most so many values; undefined when it was refused, with the issue in the report. */
export function* readJsonText(
  text: string,
  report: IssueReport,
  valueLimit = Number.POSITIVE_INFINITY,
): Work<ExactJson | undefined> {
  try {
    return yield* new TextReader(text, valueLimit).read();
  } catch (fault) {
    if (!(fault instanceof TextFault)) throw fault;
    report.refuse(fault.code, fault.message, ...fault.steps);
    return undefined;
  }
}

class TextFault extends Error {
  constructor(
    readonly code: WorkflowIssueCode,
    message: string,
    readonly steps: readonly (string | number)[],
  ) {
    super(message);
  }
}

/** A list or object that is not closed yet; `key` is the one whose value is being read. */
type Open = { readonly list: ExactJson[] } | OpenObject;
interface OpenObject {
  readonly list?: undefined;
  readonly object: Map<string, ExactJson>;
  key: string | null;
}

const OPENED = Symbol("opened");

class TextReader {
  readonly #text: string;
  #at = 0;
  readonly #open: Open[] = [];
  readonly #valueLimit: number;
  #values = 0;

  constructor(text: string, valueLimit: number) {
    this.#text = text;
    this.#valueLimit = valueLimit;
  }

  *read(): Work<ExactJson> {
    for (const pace = new Pace(); ; ) {
      if (pace.isDue()) yield;
      const value = this.#beginValue();
      if (value === OPENED) continue;
      const whole = this.#endValue(value);
      if (whole !== undefined) return whole;
    }
  }

  /** Reads a scalar or an empty container whole; of any other container only the opening. */
  #beginValue(): ExactJson | typeof OPENED {
    const char = this.#peek();
    this.#values += 1;
    if (this.#values > this.#valueLimit) {
      throw this.#fault("TOO_MANY_VALUES", `There may be at most ${this.#valueLimit} values.`);
    }
    if (char === '"') return this.#string();
    if (char === "{" || char === "[") return this.#container(char);
    if (char === "-" || (char >= "0" && char <= "9")) return this.#number();
    if (this.#take("null")) return null;
    if (this.#take("true")) return true;
    if (this.#take("false")) return false;
    if (this.#text.startsWith("NaN", this.#at) || this.#text.startsWith("Infinity", this.#at))
      this.#notFinite();
    throw this.#unexpected("a value");
  }

  /** Puts a value where it belongs and closes what ends after it; the outermost value comes back. */
  #endValue(ended: ExactJson): ExactJson | undefined {
    let value = ended;
    for (;;) {
      const open = this.#open.at(-1);
      if (open === undefined) {
        if (this.#peek() !== "") throw this.#unexpected("the end of the text");
        return value;
      }
      if (open.list) open.list.push(value);
      else if (open.key !== null) open.object.set(open.key, value);

      const next = this.#peek();
      if (next === ",") {
        this.#at++;
        if (!open.list) this.#nextKey(open);
        return undefined;
      }
      if (next !== (open.list ? "]" : "}")) throw this.#unexpected(open.list ? "',' or ']'" : "',' or '}'");
      this.#at++;
      this.#open.pop();
      value = open.list ?? open.object;
    }
  }

  #container(bracket: string): ExactJson | typeof OPENED {
    if (this.#open.length === DEPTH_LIMIT) {
      throw this.#fault("TOO_DEEP", `Nested deeper than the limit of ${DEPTH_LIMIT} levels.`);
    }
    this.#at++;
    if (bracket === "[") {
      if (this.#take("]", true)) return [];
      this.#open.push({ list: [] });
    } else {
      if (this.#take("}", true)) return new Map();
      const open: OpenObject = { object: new Map(), key: null };
      this.#open.push(open);
      this.#nextKey(open);
    }
    return OPENED;
  }

  #nextKey(open: OpenObject): void {
    open.key = null;
    if (open.object.size === KEY_LIMIT) {
      throw this.#fault("TOO_MANY_KEYS", `An object may have at most ${KEY_LIMIT} keys.`);
    }
    if (this.#peek() !== '"') throw this.#unexpected("a key in double quotes");
    open.key = this.#string();
    if (!this.#take(":", true)) throw this.#unexpected("':'");
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let escaped = false;
    for (let at = start + 1; ; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return escaped ? this.#unescape(start) : text.slice(start + 1, at);
      }
      if (code === BACKSLASH) {
        escaped = true;
        at++;
      } else if (code < 0x20 || Number.isNaN(code)) {
        this.#at = at;
        throw this.#unexpected("the end of the string, or an escape for a control character,");
      }
    }
  }

  #unescape(start: number): string {
    const quoted = this.#text.slice(start, this.#at);
    try {
      return JSON.parse(quoted);
    } catch {
      this.#at = start + wrongEscapeIn(quoted);
      throw this.#unexpected("an escape that JSON knows");
    }
  }

  #number(): ExactNumber {
    NUMBER.lastIndex = this.#at;
    const text = NUMBER.exec(this.#text)?.[0];
    if (text === undefined) {
      if (this.#text.startsWith("-Infinity", this.#at)) this.#notFinite();
      throw this.#unexpected("a number");
    }
    const number = new ExactNumber(text);
    if (text.length > DIGIT_LIMIT && number.isWhole && text.replace("-", "").length > DIGIT_LIMIT) {
      throw this.#fault("NUMBER_TOO_LONG", `A whole number may have at most ${DIGIT_LIMIT} digits.`);
    }
    this.#at += text.length;
    return number;
  }

  #notFinite(): never {
    throw this.#fault(
      "NOT_FINITE",
      "NaN and the infinities are no JSON numbers; write a finite number or null.",
    );
  }

  /** The next character that is not white space, without taking it; empty at the end. */
  #peek(): string {
    if (isSpace(this.#text.charCodeAt(this.#at))) {
      SPACE.lastIndex = this.#at;
      SPACE.test(this.#text);
      this.#at = SPACE.lastIndex;
    }
    return this.#text.charAt(this.#at);
  }

  #take(token: string, afterSpace = false): boolean {
    if (afterSpace) this.#peek();
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #unexpected(expected: string): TextFault {
    const found = this.#at < this.#text.length ? JSON.stringify(this.#text.charAt(this.#at)) : "the end";
    return this.#fault("NOT_JSON", `Expected ${expected} but found ${found}.`);
  }

  #fault(code: WorkflowIssueCode, message: string): TextFault {
    let line = 1;
    let lineStart = 0;
    const before = this.#text.slice(0, this.#at);
    for (let at = 0; at < before.length; at++) {
      if (before.charCodeAt(at) !== LINE_END) continue;
      line++;
      lineStart = at + 1;
    }
    const column = this.#at - lineStart + 1;
    const steps = this.#open.map((open) => (open.list ? open.list.length : open.key));
    return new TextFault(
      code,
      `${message.slice(0, -1)} (line ${line}, column ${column}).`,
      steps.filter((step) => step !== null),
    );
  }
}

const LINE_END = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = /[ \n\r\t]+/y;
const KNOWN_ESCAPES = '"\\/bfnrt';
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Where the first escape is that JSON does not know. */
function wrongEscapeIn(quoted: string): number {
  let at = quoted.indexOf("\\");
  while (at !== -1 && (KNOWN_ESCAPES.includes(quoted.charAt(at + 1)) || isUnicodeEscape(quoted, at))) {
    at = quoted.indexOf("\\", at + 2);
  }
  return Math.max(at, 0);
}

function isUnicodeEscape(text: string, at: number): boolean {
  return /^\\u[0-9a-fA-F]{4}/.test(text.slice(at, at + 6));
}
