/**
 * Answers to subscriptions, made once for all who asked the same. An item of a source that hands the same object to
 * everyone is executed and written as JSON by whoever comes to it first; the others get the bytes. How far each of
 * them is, and what it is sent, is its own affair (subscriber.ts).
 */
import { type ExecutionArgs, type ExecutionResult, execute, GraphQLError } from "graphql";
import { writeJson } from "../json-writing.js";
import type { Sleeper } from "./live-source.js";

/** How many bytes of answers are kept at most; whoever comes later makes its own. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** What an answer takes beside its bytes, roughly. */
const OVERHEAD_BYTES = 500;

/** What is executed for each item, by whoever asked first. */
export interface Question {
  readonly args: ExecutionArgs;
  /** Makes the context of all answers, in place of that of the arguments, which is one subscriber's own. */
  readonly context: () => Promise<unknown>;
}

export class SharedAnswers {
  readonly #audiences = new Map<string, Audience>();
  readonly #kept = new Kept(MAX_KEPT_BYTES);

  /** Joins those whose answers are the same by `key`; `question` is of the first one. Each join needs its leave. */
  join(key: string, question: () => Question): Audience {
    let audience = this.#audiences.get(key);
    if (audience === undefined) {
      audience = new Audience(question(), this.#kept, () => this.#audiences.delete(key));
      this.#audiences.set(key, audience);
    }
    audience.join();
    return audience;
  }
}

/** All subscribers who asked the same. */
export class Audience {
  readonly #args: ExecutionArgs;
  readonly #makeContext: () => Promise<unknown>;
  readonly #kept: Kept;
  readonly #onEmpty: () => void;
  readonly #answers = new Map<unknown, Answer>();
  #context: Promise<unknown> | null = null;
  #members = 0;

  constructor(question: Question, kept: Kept, onEmpty: () => void) {
    const { schema, document, operationName, variableValues } = question.args;
    this.#args = { schema, document, operationName, variableValues };
    this.#makeContext = question.context;
    this.#kept = kept;
    this.#onEmpty = onEmpty;
  }

  join(): void {
    this.#members += 1;
  }

  leave(): void {
    this.#members -= 1;
    if (this.#members > 0) return;
    this.#onEmpty();
    for (const answer of this.#answers.values()) this.#kept.drop(answer);
    this.#answers.clear();
  }

  /** The answer to an item. `isShared` says whether others will come with the same object. */
  answer(item: unknown, isShared: boolean): Answer {
    const known = isShared ? this.#answers.get(item) : undefined;
    if (known !== undefined) return known;
    const answer = new Answer();
    const isKept = isShared && this.#members > 1;
    if (isKept) this.#answers.set(item, answer);
    this.#make(answer, item).then(() => {
      if (!isKept || this.#answers.get(item) !== answer) return;
      // What failed is tried again by whoever comes later.
      if (answer.failed !== null) this.#answers.delete(item);
      else this.#kept.add(answer, () => this.#answers.delete(item));
    });
    return answer;
  }

  async #make(answer: Answer, item: unknown): Promise<void> {
    try {
      this.#context ??= this.#makeContext();
      const contextValue = await this.#context;
      answer.settle(await execute({ ...this.#args, rootValue: item, contextValue }));
    } catch (thrown) {
      this.#context = null;
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      answer.settle({ errors: [new GraphQLError(error.message, { originalError: error })] });
    }
  }
}

/** What one item is answered with, or will be. */
export class Answer {
  /** The result as JSON in UTF-8, with the bracket that closes its message; null where it has errors, or is not there. */
  text: Buffer | null = null;
  /** A result with errors, which everyone reads in their own terms. */
  failed: ExecutionResult | null = null;
  #waiting: Sleeper[] = [];

  get isThere(): boolean {
    return this.text !== null || this.failed !== null;
  }

  whenThere(sleeper: Sleeper): void {
    this.#waiting.push(sleeper);
  }

  settle(result: ExecutionResult): void {
    if (result.errors) this.failed = result;
    else this.text = Buffer.from(`${writeJson(result)}}`);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const sleeper of waiting) sleeper.wake();
  }
}

/** The answers of all audiences that are kept, bounded in bytes; the oldest go first. */
class Kept {
  readonly #maxBytes: number;
  readonly #answers = new Map<Answer, { readonly bytes: number; forget(): void }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(answer: Answer, forget: () => void): void {
    const bytes = OVERHEAD_BYTES + (answer.text?.length ?? 0);
    this.#answers.set(answer, { bytes, forget });
    this.#bytes += bytes;
    for (const [oldest, kept] of this.#answers) {
      if (this.#bytes <= this.#maxBytes) break;
      this.drop(oldest);
      kept.forget();
    }
  }

  drop(answer: Answer): void {
    this.#bytes -= this.#answers.get(answer)?.bytes ?? 0;
    this.#answers.delete(answer);
  }
}
