import { expect, it } from "vitest";
import { startTestApp } from "./support/app.js";
import { createDirectory } from "./support/databases.js";

it("a server starts with any number of bytes for what it keeps in memory", async () => {
  const app = await startTestApp(await createDirectory("migrated"), {
    environment: { PHASELINE_CACHE_BYTES: "1025" },
  });
  expect(await app.ask("{ planCounts { total } }")).toEqual({ planCounts: { total: 0 } });
  await app.close();
});
