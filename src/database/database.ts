/**
 * The one way to the database, whichever home it has: PGlite in this process, or a PostgreSQL server.
 * Nothing above this room asks which one it is.
 */
import type { Prisma } from "./generated/client.js";

/** A statement with its parameters; built with `Prisma.sql`, composed of fragments. */
export type Sql = Prisma.Sql;

/** A statement as it is sent. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
  /**
   * Whether one plan of the database's is right for all values, so that it may be kept: not where a filter's values
   * decide which index is best.
   */
  readonly keepsPlan?: boolean;
}

/** The client of one open transaction. */
export type Transaction = Prisma.TransactionClient;

/** Runs one statement of an open transaction; what it selects is as in {@link Database.read}. */
export type RunStatement = <Row>(statement: Sql) => Promise<Row[]>;

export interface Database {
  /**
   * Runs one reading statement on the driver itself, past Prisma's engine. Statements select text, integers
   * of 32 bits, booleans and JSON cast to text only, so that both homes answer alike.
   */
  read<Row>(statement: Statement): Promise<Row[]>;

  /**
   * Runs `work` in one transaction (READ COMMITTED) on the driver itself, past Prisma's engine, and commits it.
   * Serialization failures and deadlocks run it again, a bounded number of times: `work` has no effects outside of
   * the transaction. Its statements have few texts, since each text stays prepared in the connection that ran it.
   */
  write<Result>(work: (run: RunStatement) => Promise<Result>): Promise<Result>;

  /** The same through Prisma, for what is not hot. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;

  /**
   * Calls `wake` when another process may have committed events, and after each new connection of the
   * listener; wake-ups may be lost or repeated. Resolves to the function that ends it. The embedded
   * database has no other process, and never wakes.
   */
  listen(channel: string, wake: () => void): Promise<() => Promise<void>>;

  /** Whether the database answers within `limitMs`. Never rejects. */
  answers(limitMs: number): Promise<boolean>;

  /** Ends all connections, and gives the directory's lock back. */
  close(): Promise<void>;
}
