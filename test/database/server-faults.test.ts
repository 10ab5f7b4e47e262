import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connectDatabase } from "../../src/database/connect.js";
import type { Database } from "../../src/database/database.js";
import { Prisma } from "../../src/database/generated/client.js";
import { administrate, createServerDatabase, type DatabasePlace } from "../support/databases.js";
import { startFreezingProxy } from "../support/freezing-proxy.js";
import { gate } from "../support/gate.js";
import { samplePlan } from "../support/sample-rows.js";

describe("a database on a server", () => {
  let place: DatabasePlace<"server">;
  let database: Database;
  let errors: unknown[];

  const open = async (config = place.config) => {
    database = await connectDatabase(config, { onError: (error) => errors.push(error) });
  };

  beforeEach(async () => {
    place = await createServerDatabase("migrated");
    errors = [];
  });

  afterEach(async () => {
    await database?.close();
    await place?.remove();
  });

  /** Ends every connection to the test's database but the administrator's. */
  const terminateConnections = () =>
    administrate(
      (admin) =>
        admin.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        ),
      place.config.url,
    );

  const notify = () =>
    administrate((admin) => admin.query("UPDATE event_log SET seq = seq + 1"), place.config.url);

  it("keeps times right whatever the database's time zone is", async () => {
    const { pathname } = new URL(place.config.url);
    await administrate((admin) =>
      admin.query(`ALTER DATABASE ${pathname.slice(1)} SET timezone = 'America/New_York'`),
    );
    await open();
    const createdAt = new Date("2026-03-08T07:30:00.007Z");
    await database.transaction((tx) => tx.plan.create({ data: { ...samplePlan("P"), createdAt } }));
    expect(await database.transaction((tx) => tx.plan.findMany())).toMatchObject([{ createdAt }]);
    expect(
      await database.read(
        Prisma.sql`SELECT created_at::text AS at, extract(epoch FROM created_at)::int AS seconds FROM plan WHERE created_at = ${createdAt}`,
      ),
    ).toEqual([{ at: "2026-03-08 07:30:00.007+00", seconds: Math.floor(createdAt.getTime() / 1000) }]);
  });

  it("replaces connections that were ended while idle, and lives", async () => {
    await open();
    await Promise.all(
      Array.from({ length: 5 }, () => database.read(Prisma.sql`SELECT pg_sleep(0.01)::text`)),
    );
    await terminateConnections();
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0), { timeout: 30_000 });
    await vi.waitFor(async () => expect(await database.answers(10_000)).toBe(true), { timeout: 30_000 });
    expect(await database.transaction((tx) => tx.plan.count())).toBe(0);
  });

  it("fails the transaction whose connection was ended, and serves the next one", async () => {
    await open();
    const transaction = database.transaction(async (tx) => {
      await tx.plan.create({ data: samplePlan("P") });
      await terminateConnections();
      await tx.plan.count();
    });
    await expect(transaction).rejects.toThrow();
    await vi.waitFor(async () => expect(await database.answers(10_000)).toBe(true), { timeout: 30_000 });
    expect(await database.transaction((tx) => tx.plan.count())).toBe(0);
  });

  it("stops a statement that takes longer than its limit", async () => {
    await open({ ...place.config, statementTimeoutMs: 50 });
    await expect(database.read(Prisma.sql`SELECT pg_sleep(60)::text`)).rejects.toThrow("statement timeout");
    await expect(database.transaction((tx) => tx.$queryRaw`SELECT pg_sleep(60)::text`)).rejects.toThrow();
  });

  it("runs a transaction again that met another one in a deadlock", async () => {
    await open();
    await database.transaction((tx) => tx.plan.createMany({ data: [samplePlan("A"), samplePlan("B")] }));
    const bump = async (first: string, second: string) => {
      for (let round = 0; round < 20; round += 1) {
        await database.transaction(async (tx) => {
          await tx.plan.update({ where: { id: first }, data: { version: { increment: 1 } } });
          await tx.plan.update({ where: { id: second }, data: { version: { increment: 1 } } });
        });
      }
    };
    const { pathname } = new URL(place.config.url);
    await administrate((admin) =>
      admin.query(`ALTER DATABASE ${pathname.slice(1)} SET deadlock_timeout = '10ms'`),
    );
    await database.close();
    await open();
    await Promise.all([bump("A", "B"), bump("B", "A")]);
    expect(await database.read(Prisma.sql`SELECT version FROM plan ORDER BY id`)).toEqual([
      { version: 41 },
      { version: 41 },
    ]);
  });

  it("says that it does not answer while another holds all its connections", async () => {
    await open({ ...place.config, poolSize: 1 });
    const entered = gate();
    const over = gate();
    const transaction = database.transaction(async () => {
      entered.open();
      await over.passed;
    });
    await entered.passed;
    expect(await database.answers(20)).toBe(false);
    over.open();
    await transaction;
  });

  it("wakes a listener when another process commits events", async () => {
    await open();
    const wake = vi.fn();
    const end = await database.listen("phaseline_events", wake);
    await vi.waitFor(() => expect(wake).toHaveBeenCalledTimes(1), { timeout: 30_000 });
    await notify();
    await vi.waitFor(() => expect(wake).toHaveBeenCalledTimes(2), { timeout: 30_000 });
    await end();
  });

  it("wakes a listener again after its connection was ended, and hears what follows", async () => {
    await open();
    const wake = vi.fn();
    await database.listen("phaseline_events", wake);
    for (let round = 0; round < 3; round += 1) {
      wake.mockClear();
      await terminateConnections();
      await vi.waitFor(() => expect(wake).toHaveBeenCalledTimes(1), { timeout: 30_000 });
      await notify();
      await vi.waitFor(() => expect(wake).toHaveBeenCalledTimes(2), { timeout: 30_000 });
    }
  });

  it("connects a listener again when a database that was closed to all opens", async () => {
    await open();
    const wake = vi.fn();
    await database.listen("phaseline_events", wake);
    wake.mockClear();
    const { pathname } = new URL(place.config.url);
    const allow = (allowed: boolean) =>
      administrate((admin) =>
        admin.query(`ALTER DATABASE ${pathname.slice(1)} WITH ALLOW_CONNECTIONS ${allowed}`),
      );
    await administrate(async (admin) => {
      await admin.query(`ALTER DATABASE ${pathname.slice(1)} WITH ALLOW_CONNECTIONS false`);
      await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
        pathname.slice(1),
      ]);
    });
    const refusals = () => errors.filter((error) => String(error).includes("not currently accepting"));
    await vi.waitFor(() => expect(refusals().length).toBeGreaterThan(1), { timeout: 30_000 });
    expect(wake).not.toHaveBeenCalled();
    await allow(true);
    await vi.waitFor(() => expect(wake).toHaveBeenCalled(), { timeout: 30_000 });
  });
});

describe("a server that has fallen silent", () => {
  it.each([false, true])("holds up no close (while a listener reconnects: %s)", async (reconnects) => {
    const { config, remove } = await createServerDatabase("migrated");
    const url = new URL(config.url);
    const proxy = await startFreezingProxy(Number(url.port || 5432), url.hostname);
    url.host = `127.0.0.1:${proxy.port}`;
    const database = await connectDatabase({ ...config, url: url.href });
    await database.listen("phaseline_events", () => undefined);
    proxy.freeze();
    if (reconnects) await proxy.dropUntilReconnected();
    await database.close();
    proxy.close();
    await remove();
  });
});
