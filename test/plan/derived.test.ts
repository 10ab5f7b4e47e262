import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/database/database.js";
import type { Prisma } from "../../src/database/generated/client.js";
import { compareDerived } from "../../src/plan/store/derived.js";
import { planStore } from "../../src/plan/store/store.js";
import { homes, type OpenDatabase } from "../support/databases.js";
import { samplePlan } from "../support/sample-rows.js";

const id = (number: number) => `01K${String(number).padStart(23, "0")}`;
const link = (planId: string, position: number, projectName: string) => ({
  planId,
  position,
  projectName,
  readOnly: false,
});

const CHANGES: readonly (readonly [string, Prisma.PlanUpdateInput])[] = [
  ["moves", { phase: "EXECUTE", state: "ERRORED" }],
  ["gets other tags", { tags: ["y", "z"] }],
  ["moves and gets other tags at once", { state: "COMPLETE", tags: ["x"] }],
  ["is archived", { archivedAt: new Date() }],
  [
    "is not archived any more, and is another one",
    { archivedAt: null, tags: [], actionName: "local/other", name: "n" },
  ],
];

describe.each(homes)("what is kept of plans beside them ($name)", ({ open }) => {
  let home: OpenDatabase;
  let database: Database;

  beforeAll(async () => {
    home = await open();
    database = home.database;
    await database.transaction(async (tx) => {
      for (const [number, tags] of [["x", "y"], ["x"], [], ["x", "x"]].entries()) {
        await tx.plan.create({
          data: { ...samplePlan(id(number)), tags, strategyActor: "local/ada", invariantActor: "local/ada" },
        });
        await tx.projectLink.createMany({
          data: [
            link(id(number), 0, "local/web"),
            link(id(number), 1, number === 0 ? "local/web" : "local/api"),
          ],
        });
      }
    });
  });
  afterAll(() => home.close());

  async function expectAllRight(): Promise<void> {
    const tables = await compareDerived(database);
    expect(tables.map(({ table }) => table)).toEqual(["plan_facet", "plan_count", "plan_name"]);
    for (const { surplus, missing } of tables)
      expect({ surplus, missing }).toEqual({ surplus: [], missing: [] });
  }

  const counted = async (filter: object) => (await planStore(database, 1_000).counts(filter)).byPosition;

  it("is right after a plan was made with tags, actors and links that repeat", async () => {
    await expectAllRight();
    expect(await counted({ tags: { any: ["x"] } })).toEqual([
      { phase: "STRATEGIZE", state: "QUEUED", count: 3 },
    ]);
    expect(await counted({ projectNames: ["local/web"] })).toEqual([
      { phase: "STRATEGIZE", state: "QUEUED", count: 4 },
    ]);
  });

  it.each(CHANGES)("stays right when a plan %s", async (_, data) => {
    await database.transaction((tx) => tx.plan.update({ where: { id: id(1) }, data }));
    await expectAllRight();
  });

  it("stays right when many change at once, and when they are deleted", async () => {
    await database.transaction(
      (tx) => tx.$executeRaw`UPDATE plan SET state = 'CANCELLED', tags = tags || '{many}'`,
    );
    await expectAllRight();
    await database.transaction(async (tx) => {
      await tx.projectLink.deleteMany({ where: { planId: { in: [id(0), id(1)] } } });
      await tx.plan.deleteMany({ where: { id: { in: [id(0), id(1)] } } });
    });
    await expectAllRight();
    expect(await counted({})).toEqual([{ phase: "STRATEGIZE", state: "CANCELLED", count: 2 }]);
  });

  it("is made anew from the plans, after something was wrong", async () => {
    await database.transaction(async (tx) => {
      await tx.$executeRaw`UPDATE plan_count SET count = count + 1 WHERE facet = ''`;
      await tx.$executeRaw`DELETE FROM plan_facet WHERE facet = 'tag:many'`;
      await tx.$executeRaw`DELETE FROM plan_name`;
    });
    const wrong = await compareDerived(database);
    expect(wrong.map(({ surplus, missing }) => surplus.length + missing.length > 0)).toEqual([
      true,
      true,
      true,
    ]);
    await database.transaction(async (tx) => {
      for (const table of ["plan_facet", "plan_count", "plan_name"])
        await tx.$executeRawUnsafe(`SELECT refill_${table}()`);
    });
    await expectAllRight();
  });
});
