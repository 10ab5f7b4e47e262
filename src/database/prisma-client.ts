/** What both homes share above their driver: transactions through Prisma, and the question whether they answer. */
import type { SqlDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type { Database } from "./database.js";
import { PrismaClient } from "./generated/client.js";
import { type OnStatement, observedAdapters } from "./observation.js";
import { retryingConflicts } from "./retry.js";

export interface DatabaseObserver {
  /** See {@link OnStatement}. */
  readonly onStatement?: OnStatement;
  /** Told of failures that no caller waits for: a connection lost while idle, a listener that must connect again. */
  readonly onError?: (error: unknown) => void;
}

/** How long a transaction may wait for its connection, and then take, in milliseconds: a burst queues, it does not fail. */
const transactionLimits = { maxWait: 60_000, timeout: 60_000 };

/** Prisma over the adapters of one home. */
export function prismaClient(
  adapters: SqlDriverAdapterFactory,
  { onStatement }: DatabaseObserver,
): Pick<Database, "transaction"> & { disconnect(): Promise<void> } {
  const client = new PrismaClient({ adapter: observedAdapters(adapters, onStatement), log: [] });
  return {
    transaction: (work) => retryingConflicts(() => client.$transaction(work, transactionLimits)),
    disconnect: () => client.$disconnect(),
  };
}

/** Whether `question` resolves within `limitMs`; never rejects. */
export async function answersWithin(limitMs: number, question: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  const answer = question.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
