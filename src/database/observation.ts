/** Tells an observer each statement, whether Prisma or `read()` sent it; BEGIN, COMMIT and ROLLBACK are left out. */
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
} from "@prisma/driver-adapter-utils";

/** Called after each statement, also after one that failed, with the time that it took in milliseconds. */
export type OnStatement = (text: string, durationMs: number) => void;

/** Runs a statement and tells the observer. */
export async function observed<Result>(
  onStatement: OnStatement | undefined,
  text: string,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!onStatement) return run();
  const start = performance.now();
  try {
    return await run();
  } finally {
    onStatement(text, performance.now() - start);
  }
}

/** The same adapters, observed. */
export function observedAdapters(
  factory: SqlDriverAdapterFactory,
  onStatement: OnStatement | undefined,
): SqlDriverAdapterFactory {
  if (!onStatement) return factory;
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async (): Promise<SqlDriverAdapter> => {
      const adapter = observe(await factory.connect(), onStatement);
      const startTransaction = adapter.startTransaction.bind(adapter);
      adapter.startTransaction = async (level) => observe(await startTransaction(level), onStatement);
      return adapter;
    },
  };
}

const transactionControl = new Set(["BEGIN", "COMMIT", "ROLLBACK"]);

/** Replaces the two methods on the object itself: the adapters call private parts of theirs. */
function observe<Target extends SqlQueryable>(target: Target, onStatement: OnStatement): Target {
  const queryRaw = target.queryRaw.bind(target);
  const executeRaw = target.executeRaw.bind(target);
  target.queryRaw = (query: SqlQuery) => observed(onStatement, query.sql, () => queryRaw(query));
  target.executeRaw = (query: SqlQuery) =>
    transactionControl.has(query.sql)
      ? executeRaw(query)
      : observed(onStatement, query.sql, () => executeRaw(query));
  return target;
}
