/** What a command needs of the store, within its one transaction. */
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

export interface PlanUnitOfWork {
  /** What was kept under the key; whoever asks for the same key meanwhile waits until this transaction ends. */
  recall(key: string): Promise<RememberedCommand | null>;

  /** Keeps a success that needed no event. */
  remember(key: UsedKey, planId: Ulid, seq: bigint): Promise<void>;

  find(id: Ulid): Promise<Plan | null>;
  /** The plan, for this transaction alone until it ends. */
  lock(id: Ulid): Promise<Plan | null>;

  /** The head of the log and the database's time, without a lock. */
  glance(): Promise<{ readonly seq: bigint; readonly at: Instant }>;
  /**
   * Takes the head of the log, lets `changes` be made at the time of the head, and writes them with their
   * events, and the success under its key; the seq of the last one comes back. Nothing that waits may follow it in
   * the transaction.
   */
  append(
    actor: NamespacedName,
    changes: (at: Instant) => readonly Change[],
    key: UsedKey | null,
  ): Promise<Appended>;
}

export interface Appended {
  readonly changes: readonly Change[];
  readonly seq: bigint;
}
