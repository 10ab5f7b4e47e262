/** Transactions that lost against another one, through no fault of their own, run again. */
import { setTimeout as pause } from "node:timers/promises";
import { Prisma } from "./generated/client.js";

/** How often a transaction runs before its conflict is taken as the answer. */
const attempts = 10;
/** The longest pause before the second run, in milliseconds; it doubles from run to run, up to the limit. */
const firstPauseMs = 20;
const longestPauseMs = 500;

/** Runs `transaction`, and again after serialization failures and deadlocks, a bounded number of times. */
export async function retryingConflicts<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === attempts || !isConflict(error)) throw error;
      await pause(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)));
    }
  }
}

const conflictCodes = new Set(["40001", "40P01"]);

/** Whether the database rolled the transaction back because of another one (SQLSTATE 40001, 40P01). */
function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2034") return true;
  return conflictCodes.has(sqlState(error) ?? "");
}

/**
 * Whether the database refused a statement for what it says (SQLSTATE classes 22, 23, 53, 54, P0, XX), and not for
 * lack of time or of a connection: then one that says less may fare better.
 */
export function isRefused(error: unknown): boolean {
  return error instanceof Error && /^(2[23]|5[34]|P0|XX)/.test(sqlState(error) ?? "");
}

/** The SQLSTATE of a driver's error, of an adapter's, or of Prisma's error around one of a raw query. */
function sqlState(error: ErrorLike): string | undefined {
  const { code, cause, meta, originalCode } = error;
  if (typeof originalCode === "string") return originalCode;
  const inner = meta?.driverAdapterError ?? cause;
  if (isErrorLike(inner)) return sqlState(inner);
  return typeof code === "string" ? code : undefined;
}

/** What an error, or the object that an adapter has in its place, may say of itself. */
interface ErrorLike {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly cause?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
}

function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === "object" && value !== null;
}
