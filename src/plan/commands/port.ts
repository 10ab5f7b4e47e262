/** What a command needs of the store: what it touches, and its part of a transaction. */
import type { Change } from "../changes.js";
import type { Instant, NamespacedName, Plan, Ulid } from "../plan.js";

/** An idempotency key, and what is asked under it. */
export interface UsedKey {
  readonly key: string;
  readonly fingerprint: string;
}

/** A success that was kept under an idempotency key. */
export interface RememberedCommand {
  readonly fingerprint: string;
  readonly planId: Ulid;
  /** The last event of the command. */
  readonly seq: bigint;
}

/** What a command touches. Whoever touches the same key or changes the same plan comes before it or after it. */
export interface Reach {
  readonly key: string | null;
  /** The plan that it changes. */
  readonly planId: Ulid | null;
  /** A plan that it only looks at. */
  readonly parentId: Ulid | null;
  /** Whether it looks only, and writes nothing. */
  readonly isRehearsal: boolean;
  /** Whether it writes so much that others should not wait for it. */
  readonly isLarge: boolean;
}

/**
 * One command's part of a transaction, in which the commands before it may have had theirs. What the reach names is
 * at hand; a command decides without waiting.
 */
export interface PlanUnitOfWork {
  /** The last event of the log. Nobody else can append to it, unless this is a rehearsal. */
  readonly head: bigint;
  /** The time of all that the command does, never before that of the last event. */
  readonly at: Instant;
  /** What was kept under the key of the reach. */
  readonly remembered: RememberedCommand | null;
  /** A plan of the reach, or the one that was remembered. */
  find(id: Ulid): Plan | null;
  /** Writes changes with their events, and the success under its key; the seq of the last event comes back. */
  append(actor: NamespacedName, changes: readonly Change[], key: UsedKey | null): bigint;
  /** Keeps a success that needed no event. */
  remember(key: UsedKey, planId: Ulid): void;
}

/** Runs the work of one command in a transaction, which it may share with others. */
export type Transact = <Result>(reach: Reach, work: (unit: PlanUnitOfWork) => Result) => Promise<Result>;
