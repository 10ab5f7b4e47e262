import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Prisma } from "../../src/database/generated/client.js";
import { homes, type OpenDatabase } from "../support/databases.js";

describe.each(homes)("a database in its $name home", ({ open }) => {
  let home: OpenDatabase;
  beforeAll(async () => {
    home = await open();
  });
  afterAll(() => home.close());

  it("has the log's one row", async () => {
    const rows = await home.database.read(Prisma.sql`SELECT id, seq::text FROM event_log`);
    expect(rows).toEqual([{ id: 1, seq: "0" }]);
  });
});
