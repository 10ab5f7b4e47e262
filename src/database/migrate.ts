/**
 * Brings a database to the tables of this version, or refuses to touch it. Each migration is one transaction
 * together with its record and under one lock: a process that dies leaves nothing half-made, and processes that
 * start at once apply it once. (So a migration must be able to run in a transaction.)
 */
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { type History, judgeHistory, type Migration } from "./migrations.js";
import { applyMigrations } from "./schema-engine.js";
import { StartRefused } from "./start-refused.js";

/** One connection, used by nobody else until the migrations are applied. */
export interface MigrationSession {
  /** What a refusal calls the database; without credentials. */
  readonly place: string;
  /** Runs a script of one or several statements; answers the rows of its last one. */
  run<Row>(script: string): Promise<Row[]>;
  /** An adapter over this very connection. */
  adapter(): Promise<SqlDriverAdapter>;
}

/**
 * Applies those of `migrations` that the database lacks; rejects with {@link StartRefused} where its history is
 * not theirs. A migration that fails leaves nothing; the ones before it stay.
 */
export async function migrate(session: MigrationSession, migrations: readonly Migration[]): Promise<void> {
  for (const migration of await pendingMigrations(session, migrations)) {
    await session.run("BEGIN");
    try {
      await session.run(`SELECT pg_advisory_xact_lock(${migrationLock})`);
      const pending = await pendingMigrations(session, migrations);
      if (pending.includes(migration)) await apply(session, migrations, migration);
      // The engine takes a lock of its own, for the session. Held on while this waits for its next turn, it would
      // stand in the way of the process whose turn it is.
      await session.run("SELECT pg_advisory_unlock_all()");
      await session.run("COMMIT");
    } catch (error) {
      await session.run("ROLLBACK").catch(() => undefined);
      throw error;
    }
  }
}

/** Any number will do, as long as every version of Phaseline takes the same. */
const migrationLock = 7_427_533_546;

async function pendingMigrations(
  session: MigrationSession,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const judgement = judgeHistory(await readHistory(session), migrations);
  if ("pending" in judgement) return judgement.pending;
  throw new StartRefused(
    `The database ${session.place} is not one that this version of Phaseline can use: ${judgement.refusal}.`,
  );
}

async function readHistory(session: MigrationSession): Promise<History> {
  const [found] = await session.run<{ recorded: boolean; tables: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS recorded,
            EXISTS (SELECT FROM pg_class
                    WHERE relnamespace = to_regnamespace('public') AND relkind IN ('r', 'p', 'v', 'm', 'f')) AS tables`,
  );
  if (!found?.recorded) return { recorded: null, hasTables: found?.tables ?? false };
  const recorded = await session.run<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return { recorded, hasTables: true };
}

/** The engine hides the database's own words when its transaction is lost: the first failure is the one to tell. */
async function apply(
  session: MigrationSession,
  migrations: readonly Migration[],
  last: Migration,
): Promise<void> {
  let failure: unknown;
  const connect = async (): Promise<SqlDriverAdapter> => {
    const adapter = await session.adapter();
    return Object.assign(adapter, {
      executeScript: async (script: string) => {
        await session.run(script).catch((error: unknown) => {
          failure ??= error;
          throw error;
        });
      },
      dispose: async () => undefined,
    });
  };
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: "postgres",
    adapterName: "migration",
    connect,
    connectToShadowDb: () => Promise.reject(new Error("a server has no shadow database")),
  };
  try {
    await applyMigrations(factory, migrations.slice(0, migrations.indexOf(last) + 1));
  } catch (error) {
    throw new Error(`The migration ${last.name} failed and was rolled back`, { cause: failure ?? error });
  }
}
