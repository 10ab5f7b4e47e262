/** The home of a database on a PostgreSQL server, which any number of processes may share. */
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import type { Database } from "./database.js";
import { superviseListener } from "./listener.js";
import { type MigrationSession, migrate } from "./migrate.js";
import { readMigrations } from "./migrations.js";
import { observed } from "./observation.js";
import { answersWithin, type DatabaseObserver, prismaClient } from "./prisma-client.js";
import { retryingConflicts } from "./retry.js";
import { serverTransactions } from "./server-transactions.js";
import { sessionSettings } from "./session.js";
import { StartRefused } from "./start-refused.js";
import { StatementNames } from "./statement-names.js";

export interface ServerHome {
  readonly url: string;
  /** How many connections this process opens at most, besides those of its listeners and its migrations. */
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
}

/** How long a statement may wait for a connection, in milliseconds; more than a burst of commands needs. */
const connectionTimeoutMs = 30_000;
/** A connection whose peer vanished is quiet for ever: after this long, the operating system asks. */
const keepAliveAfterMs = 10_000;
/** How much longer than the statement's own limit its answer is waited for. */
const answerGraceMs = 5_000;

/** Connects and brings the database up to date; rejects with `StartRefused` where that is not possible. */
export async function openServer(home: ServerHome, observer: DatabaseObserver): Promise<Database> {
  if (new URL(home.url).searchParams.has("schema")) {
    throw new StartRefused(
      `DATABASE_URL names a schema, but the tables of Phaseline are always in the schema "public"; leave "schema" out`,
    );
  }
  await migrateServer(home.url);
  const pool = new pg.Pool({
    connectionString: home.url,
    max: home.poolSize,
    connectionTimeoutMillis: connectionTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    // The server ends a statement in its time; this is for one whose server is gone.
    query_timeout: home.statementTimeoutMs + answerGraceMs,
    onConnect: async (client) => {
      await client.query(sessionSettings(home.statementTimeoutMs));
    },
  });
  const onError = (error: unknown) => observer.onError?.(error);
  // Without a listener, the error of an idle connection would end the process.
  pool.on("error", onError);
  const { transaction, disconnect } = prismaClient(
    new PrismaPg(pool, { onConnectionError: onError }),
    observer,
  );
  const write = serverTransactions(pool, { ...observer, onError });
  const listeners = new Set<() => Promise<void>>();
  const names = new StatementNames();
  return {
    read: ({ text, values, keepsPlan }) => {
      const name = keepsPlan ? names.nameOf(text) : undefined;
      return observed(
        observer.onStatement,
        text,
        async () => (await pool.query({ name, text, values })).rows,
      );
    },
    write: (work) => retryingConflicts(() => write(work)),
    transaction,
    listen: async (channel, wake) => {
      const end = await superviseListener(home.url, channel, wake, onError);
      listeners.add(end);
      return async () => {
        listeners.delete(end);
        await end();
      };
    },
    answers: (limitMs) => answersWithin(limitMs, pool.query("SELECT 1")),
    close: async () => {
      await Promise.all([...listeners].map((end) => end()));
      await disconnect();
      await pool.end();
    },
  };
}

/** A pool of one connection that is never replaced: a lock and a transaction must not move to another one. */
async function migrateServer(url: string): Promise<void> {
  let connections = 0;
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: connectionTimeoutMs,
    onConnect: async (client) => {
      connections += 1;
      if (connections > 1) throw new Error("the connection was lost while migrations were applied");
      await client.query(sessionSettings());
    },
  });
  pool.on("error", () => undefined);
  const place = placeOf(url);
  try {
    const { rows } = await pool
      .query<{ server_encoding: string }>("SHOW server_encoding")
      .catch((error: unknown) => {
        throw new StartRefused(`the database ${place} cannot be reached: ${reason(error)}`, { cause: error });
      });
    const encoding = rows[0]?.server_encoding;
    if (encoding !== "UTF8") {
      throw new StartRefused(
        `the database ${place} has the encoding ${encoding}, which cannot hold every text; make one with the encoding UTF8`,
      );
    }
    const session: MigrationSession = {
      place,
      run: async <Row>(script: string) => {
        const result: pg.QueryResult | pg.QueryResult[] = await pool.query(script);
        const last = Array.isArray(result) ? result.at(-1) : result;
        return (last?.rows ?? []) as Row[];
      },
      adapter: () => new PrismaPg(pool).connect(),
    };
    await migrate(session, await readMigrations());
  } finally {
    await pool.end();
  }
}

/** `host:port/name` of a database: all of its URL that may be shown. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function reason(error: unknown): string {
  return error instanceof Error
    ? error.message || (error as NodeJS.ErrnoException).code || error.name
    : String(error);
}
