import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Prisma } from "../../src/database/generated/client.js";
import { forgetKeys, forgetOldKeys } from "../../src/plan/store/key-expiry.js";
import { homes, type OpenDatabase } from "../support/databases.js";

const HOUR_MS = 3_600_000;

describe.each(homes)("idempotency keys ($name)", ({ open }) => {
  let home: OpenDatabase;
  beforeAll(async () => {
    home = await open();
  });
  afterAll(() => home?.close());

  async function keep(prefix: string, count: number, ageHours: number): Promise<void> {
    const createdAt = new Date(Date.now() - ageHours * HOUR_MS);
    const data = Array.from({ length: count }, (_, index) => ({
      key: `${prefix} ${index}`,
      fingerprint: "",
      planId: "",
      seq: 0n,
      createdAt,
    }));
    await home.database.transaction((tx) => tx.idempotencyKey.createMany({ data }));
  }

  const kept = async () =>
    (await home.database.read<{ key: string }>(Prisma.sql`SELECT key FROM idempotency_key ORDER BY key`)).map(
      ({ key }) => key,
    );

  it("are forgotten a day after, not before, and a bounded number at a time", async () => {
    await keep("young", 1, 23.9);
    await keep("old", 1_200, 24.1);
    expect(await forgetKeys(home.database)).toBe(1_000);
    expect(await forgetKeys(home.database)).toBe(200);
    expect(await forgetKeys(home.database)).toBe(0);
    expect(await kept()).toEqual(["young 0"]);
  });

  it("are forgotten round by round until none is too old, and no more once that is stopped", async () => {
    await keep("older", 1_001, 25);
    await forgetOldKeys(home.database, () => false);
    expect(await kept()).toEqual(["young 0"]);
    await keep("late", 1, 25);
    await forgetOldKeys(home.database, () => true);
    expect(await kept()).toEqual(["late 0", "young 0"]);
  });
});
