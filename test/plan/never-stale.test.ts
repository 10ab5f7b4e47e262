import { describe, expect, it } from "vitest";
import { appHomes } from "../support/app.js";
import { findStaleReads } from "./never-stale.js";

/** Bounds the plans in memory to about ten. */
const FEW_PLANS = { PHASELINE_CACHE_BYTES: "65536" };

describe.each(appHomes)("a read under writers that never stop ($name)", ({ start }) => {
  it.each([
    ["with all plans in memory", {}],
    ["with ten plans in memory", FEW_PLANS],
  ])("tells of its moment what the log tells of it, %s", async (_memory, environment) => {
    const app = await start({ environment });
    const { compared, faults } = await findStaleReads(app.endpoint, app.endpoint, (written) => written >= 70);
    expect(faults).toEqual([]);
    expect(compared).toBeGreaterThan(70);
    await app.close();
  });
});
