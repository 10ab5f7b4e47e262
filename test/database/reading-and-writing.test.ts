import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Prisma } from "../../src/database/generated/client.js";
import { homes, type OpenDatabase } from "../support/databases.js";
import { gate } from "../support/gate.js";
import { sampleEvent, samplePlan } from "../support/sample-rows.js";

describe.each(homes)("a database in its $name home", ({ open }) => {
  let home: OpenDatabase;
  let statements: string[];
  let lastPlan = 0;

  beforeAll(async () => {
    home = await open({ onStatement: (text) => statements.push(text) });
    statements = [];
  });
  afterAll(() => home?.close());

  /** Writes a plan of its own for one test. */
  async function writePlan(fields: Partial<Prisma.PlanUncheckedCreateInput> = {}): Promise<string> {
    lastPlan += 1;
    const id = `PLAN-${lastPlan}`;
    await home.database.transaction((tx) => tx.plan.create({ data: { ...samplePlan(id), ...fields } }));
    return id;
  }

  it("gives lists back as they were written", async () => {
    const tags = ["a,b", 'q"', "\\", "{}", "😀", "NULL", " x ", ""];
    const id = await writePlan({ tags });
    expect(await home.database.read(Prisma.sql`SELECT tags FROM plan WHERE id = ${id}`)).toEqual([{ tags }]);
    expect(
      await home.database.transaction((tx) => tx.plan.findUniqueOrThrow({ where: { id } })),
    ).toMatchObject({ tags, argumentsOrder: [] });
  });

  it("finds rows by a list", async () => {
    const id = await writePlan({ tags: ["it's", 'one"'] });
    const rows = await home.database.read(
      Prisma.sql`SELECT id FROM plan WHERE tags @> ${["it's", 'one"']} AND id = ANY(${[id, "other"]})`,
    );
    expect(rows).toEqual([{ id }]);
  });

  it("keeps times to the millisecond, also in the hours that clocks skip", async () => {
    const createdAt = new Date("2026-03-08T02:30:00.007Z");
    const id = await writePlan({ createdAt });
    expect(
      await home.database.transaction((tx) => tx.plan.findUniqueOrThrow({ where: { id } })),
    ).toMatchObject({ createdAt });
    expect(
      await home.database.read(
        Prisma.sql`SELECT created_at::text AS at FROM plan WHERE id = ${id} AND created_at = ${createdAt}`,
      ),
    ).toEqual([{ at: "2026-03-08 02:30:00.007+00" }]);
  });

  it("sorts names by code point", async () => {
    const rows = await home.database.read<{ name: string }>(
      Prisma.sql`SELECT name FROM (SELECT name FROM plan UNION SELECT unnest(${["local/a-b", "local/a_b", "local/ab", "local/B"]}::text[])) AS names
                 WHERE name <> 'local/sample' ORDER BY name`,
    );
    expect(rows.map(({ name }) => name)).toEqual(["local/B", "local/a-b", "local/a_b", "local/ab"]);
  });

  it("keeps the head of the log in one row, with an identity of its own", async () => {
    const [head] = await home.database.read<{ identity: string }>(Prisma.sql`SELECT identity FROM event_log`);
    expect(head?.identity).toMatch(/^[0-9a-f-]{36}$/);
    await expect(
      home.database.transaction((tx) =>
        tx.eventLog.create({ data: { id: 2, identity: "", seq: 0n, at: new Date() } }),
      ),
    ).rejects.toThrow();
  });

  it("never changes an event, and lets old ones go", async () => {
    const planId = await writePlan();
    await home.database.transaction((tx) => tx.planEvent.create({ data: sampleEvent(planId, 1n) }));
    await expect(
      home.database.transaction((tx) => tx.planEvent.update({ where: { seq: 1n }, data: { actor: "x" } })),
    ).rejects.toThrow("an event of a plan is never changed");
    await home.database.transaction((tx) => tx.planEvent.delete({ where: { seq: 1n } }));
  });

  it("never changes the profile that a plan was made with", async () => {
    const id = await writePlan({ effectiveProfileSnapshotJson: "{}" });
    const update = (effectiveProfileSnapshotJson: string) =>
      home.database.transaction((tx) =>
        tx.plan.update({ where: { id }, data: { effectiveProfileSnapshotJson, version: 2 } }),
      );
    await expect(update('{"a":1}')).rejects.toThrow("the effective profile of a plan is never changed");
    await update("{}");
  });

  it("does not show a reader what an open transaction has written", async () => {
    const id = await writePlan();
    const written = gate();
    const decided = gate();
    const transaction = home.database.transaction(async (tx) => {
      await tx.plan.update({ where: { id }, data: { version: 99 } });
      written.open();
      await decided.passed;
      throw new Error("rolled back");
    });
    await written.passed;
    const version = home.database.read(Prisma.sql`SELECT version FROM plan WHERE id = ${id}`);
    decided.open();
    await expect(transaction).rejects.toThrow("rolled back");
    expect(await version).toEqual([{ version: 1 }]);
  });

  it("queues five hundred commands at once on one row, and loses none", async () => {
    const id = await writePlan();
    await Promise.all(
      Array.from({ length: 500 }, () =>
        home.database.transaction((tx) =>
          tx.plan.update({ where: { id }, data: { version: { increment: 1 } } }),
        ),
      ),
    );
    expect(await home.database.read(Prisma.sql`SELECT version FROM plan WHERE id = ${id}`)).toEqual([
      { version: 501 },
    ]);
  });

  it.each(["40001", "40P01"])("runs a transaction again that lost with %s", async (code) => {
    let runs = 0;
    const result = await home.database.transaction(async (tx) => {
      runs += 1;
      if (runs < 3) await tx.$executeRawUnsafe(`DO $$ BEGIN RAISE 'lost' USING ERRCODE = '${code}'; END $$`);
      return "done";
    });
    expect({ runs, result }).toEqual({ runs: 3, result: "done" });
  });

  it("gives up on a transaction that always loses", async () => {
    let runs = 0;
    await expect(
      home.database.transaction(async (tx) => {
        runs += 1;
        await tx.$executeRaw`DO $$ BEGIN RAISE 'lost' USING ERRCODE = '40001'; END $$`;
      }),
    ).rejects.toThrow("lost");
    expect(runs).toBe(10);
  });

  it("does not run a transaction again that failed by its own fault", async () => {
    let runs = 0;
    await expect(
      home.database.transaction(async (tx) => {
        runs += 1;
        await tx.$queryRaw`SELECT 1/0`;
      }),
    ).rejects.toThrow("division by zero");
    expect(runs).toBe(1);
  });

  it("tells of each statement on both ways to the database", async () => {
    const id = await writePlan();
    statements = [];
    await home.database.read(Prisma.sql`SELECT 1 AS one`);
    await home.database.transaction((tx) => tx.plan.update({ where: { id }, data: { version: 2 } }));
    await home.database.read(Prisma.sql`SELECT 1/0`).catch(() => undefined);
    expect(statements.map((text) => text.split(" ", 1)[0])).toEqual(["SELECT", "UPDATE", "SELECT"]);
  });

  it("answers", async () => {
    expect(await home.database.answers(10_000)).toBe(true);
  });
});
