import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Config } from "../../src/config.js";
import { connectDatabase } from "../../src/database/connect.js";
import { Prisma } from "../../src/database/generated/client.js";
import { readMigrations } from "../../src/database/migrations.js";
import { StartRefused } from "../../src/database/start-refused.js";
import {
  type AnyDatabasePlace,
  administrate,
  createDirectory,
  createServerDatabase,
} from "../support/databases.js";
import { startProcess } from "../support/processes.js";

/** Runs a script on a database that no server has open. */
async function tamper({ config }: AnyDatabasePlace, script: string): Promise<void> {
  if (config.kind === "server") {
    await administrate((admin) => admin.query(script), config.url);
    return;
  }
  const driver = await PGlite.create(join(config.directory, "postgres"));
  await driver.exec(script);
  await driver.close();
}

/** What the refusal calls the database. */
function placeName(config: Config["database"]): string {
  if (config.kind === "embedded") return config.directory;
  const { host, pathname } = new URL(config.url);
  return `${host}${pathname}`;
}

const kinds = [
  { kind: "embedded", create: createDirectory },
  { kind: "server", create: createServerDatabase },
] as const;

const places: AnyDatabasePlace[] = [];
afterEach(async () => {
  await Promise.all(places.splice(0).map((place) => place.remove()));
});

/** Has a place removed after the test. */
function keep<Place extends AnyDatabasePlace>(place: Place): Place {
  places.push(place);
  return place;
}

describe.each(kinds)("a start on an $kind database", ({ create }) => {
  /** Starts and stops; the names of the migrations that the database then has. */
  async function start(place: AnyDatabasePlace): Promise<string[]> {
    const database = await connectDatabase(place.config);
    const rows = await database.read<{ name: string }>(
      Prisma.sql`SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1`,
    );
    await database.close();
    expect(await database.answers(10_000)).toBe(false);
    return rows.map(({ name }) => name);
  }

  it("applies all migrations on an empty one, and none on the next start", async () => {
    const place = keep(await create("empty"));
    const names = (await readMigrations()).map(({ name }) => name);
    expect(await start(place)).toEqual(names);
    expect(await start(place)).toEqual(names);
  });

  it("refuses the database of a newer version, and names it without its password", async () => {
    const place = keep(await create("migrated"));
    await tamper(
      place,
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '9_new', now())",
    );
    const refusal = await start(place).catch((error: unknown) => error);
    expect(refusal).toEqual(
      new StartRefused(
        `The database ${placeName(place.config)} is not one that this version of Phaseline can use: it has the migration 9_new, which this version does not know.`,
      ),
    );
  });

  it("refuses the database of another program", async () => {
    const place = keep(await create("migrated"));
    await tamper(place, "DROP TABLE _prisma_migrations");
    await expect(start(place)).rejects.toThrow("it holds tables that Phaseline did not make");
  });
});

describe("a first start of an embedded database", () => {
  it("can be killed at any point, twenty times, and opens again", { timeout: 300_000 }, async () => {
    const { config } = keep(await createDirectory("empty"));
    const { directory } = config;
    const filesIn = (name: string) =>
      existsSync(join(directory, name)) ? readdirSync(join(directory, name), { recursive: true }).length : 0;
    const points = [
      () => true,
      () => filesIn("lock") > 0,
      ...Array.from({ length: 16 }, (_, index) => index * 25).map(
        (files) => () => filesIn("postgres.new") > files || filesIn("postgres") > 0,
      ),
      () => filesIn("postgres") > 0,
      () => filesIn("postgres") > 0,
    ];
    for (const reached of points) {
      // A copy that was whole before the kill is taken away again: what comes is a first start.
      rmSync(join(directory, "postgres"), { recursive: true, force: true });
      const child = startProcess(`
        const { connectDatabase } = await dist("database/connect.js");
        console.log("starting");
        await connectDatabase(${JSON.stringify(config)});
        setInterval(() => undefined, 1_000);
      `);
      await child.printed("starting");
      await vi.waitFor(() => expect(reached()).toBe(true), { timeout: 60_000, interval: 2 });
      await child.kill("SIGKILL");
      expect(child.output()).toBe("starting");
    }
    const database = await connectDatabase(config);
    expect(await database.read(Prisma.sql`SELECT id, identity <> '' AS named FROM event_log`)).toEqual([
      { id: 1, named: true },
    ]);
    await database.close();
    expect(readdirSync(directory).sort()).toEqual(["lock", "postgres"]);
  });

  it("makes a log of its own, which stays the same on later starts", async () => {
    const identities = async (place: AnyDatabasePlace): Promise<unknown> => {
      const database = await connectDatabase(place.config);
      const [log] = await database.read<{ identity: string }>(Prisma.sql`SELECT identity FROM event_log`);
      await database.close();
      return log?.identity;
    };
    const [one, other] = [keep(await createDirectory("empty")), keep(await createDirectory("empty"))];
    const first = await identities(one);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(await identities(other)).not.toBe(first);
    expect(await identities(one)).toBe(first);
  });

  it("says that another process has the directory", async () => {
    const place = keep(await createDirectory("migrated"));
    const database = await connectDatabase(place.config);
    await expect(connectDatabase(place.config)).rejects.toThrow(
      `another Phaseline process (pid ${process.pid}) is using ${place.config.directory}`,
    );
    await database.close();
  });
});

describe("a start on a damaged embedded database", () => {
  it.each(["PG_VERSION", "global/pg_control"])("is refused without %s, and touches nothing", async (file) => {
    const { config } = keep(await createDirectory("migrated"));
    const database = join(config.directory, "postgres");
    rmSync(join(database, file));
    const before = readdirSync(database, { recursive: true });
    await expect(connectDatabase(config)).rejects.toThrow(`is not a whole database: ${file} is missing`);
    expect(readdirSync(database, { recursive: true })).toEqual(before);
  });
});

describe("a start on a server", () => {
  it("refuses a database whose encoding does not hold every text", async () => {
    const { config, remove } = keep(await createServerDatabase("empty"));
    const name = new URL(config.url).pathname.slice(1);
    await remove();
    await administrate((admin) =>
      admin.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`),
    );
    await expect(connectDatabase(config)).rejects.toThrow("has the encoding LATIN1");
  });

  it("does not take over the limits that the database sets for its sessions", async () => {
    const { config } = keep(await createServerDatabase("empty"));
    const name = new URL(config.url).pathname.slice(1);
    for (const limit of ["lock_timeout", "statement_timeout", "idle_session_timeout"]) {
      await administrate((admin) => admin.query(`ALTER DATABASE ${name} SET ${limit} = '9s'`));
    }
    const database = await connectDatabase(config);
    const limits = await database.read(
      Prisma.sql`SELECT current_setting('lock_timeout') AS lock, current_setting('idle_session_timeout') AS idle`,
    );
    await database.close();
    expect(limits).toEqual([{ lock: "0", idle: "0" }]);
  });

  it("is safe for five processes at once on an empty database", async () => {
    const place = keep(await createServerDatabase("empty"));
    const processes = Array.from({ length: 5 }, () =>
      startProcess(`
        const { connectDatabase } = await dist("database/connect.js");
        const database = await connectDatabase(${JSON.stringify(place.config)});
        console.log(await database.answers(10_000) ? "open" : "silent");
        await database.close();
      `),
    );
    const codes = await Promise.all(processes.map((child) => child.exited()));
    expect(processes.map((child) => child.output())).toEqual(Array(5).fill("open"));
    expect(codes).toEqual([0, 0, 0, 0, 0]);
    const { rows } = await administrate(
      (admin) => admin.query("SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1"),
      place.config.url,
    );
    expect(rows.map(({ name }) => name)).toEqual((await readMigrations()).map(({ name }) => name));
  });

  it("says that a server cannot be reached, without its password", async () => {
    const config = {
      kind: "server" as const,
      url: "postgresql://someone:secret@127.0.0.1:1/phaseline",
      poolSize: 1,
      statementTimeoutMs: 1_000,
    };
    const refusal = await connectDatabase(config).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartRefused);
    expect((refusal as StartRefused).message).toContain("127.0.0.1:1/phaseline cannot be reached");
    expect((refusal as StartRefused).message).not.toContain("secret");
  });
});
