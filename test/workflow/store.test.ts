/** The reads of frozen workflow plans: together, once, verified, and within their limits. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WorkflowReadsOf } from "../../src/workflow/reading.js";
import type { WorkflowRevision } from "../../src/workflow/revision.js";
import { type WorkflowStoreLimits, workflowStore } from "../../src/workflow/store.js";
import { homes, type OpenDatabase } from "../support/databases.js";
import { samplePlan } from "../support/sample-rows.js";
import { checkJson, itemWith, planWith } from "./support/documents.js";

const ROOM = { maxBytes: 1024 * 1024, maxTextBytes: 1024 * 1024 };

describe.each(homes)("the store of workflow plans ($name)", ({ open }) => {
  const statements: string[] = [];
  let opened: OpenDatabase;
  const frozen = new Map<string, WorkflowRevision>();
  beforeAll(async () => {
    opened = await open({ onStatement: (text) => statements.push(text) });
    for (const [planId, workflow] of [
      ["A", "one"],
      ["B", "two"],
      ["C", "two"],
      ["D", "broken"],
    ] as const) {
      const plan = checkJson(planWith([itemWith()], { workflow })).workflowPlan ?? expect.unreachable();
      const frozenAt = "2026-01-31T09:30:00.123Z";
      frozen.set(planId, { revision: 1, digest: plan.digest, itemCount: 1, frozenAt });
      const canonicalText = workflow === "broken" ? `${plan.canonicalText} ` : plan.canonicalText;
      await opened.database.transaction(async (tx) => {
        await tx.plan.create({ data: samplePlan(planId) });
        const { digest } = plan;
        await tx.workflowRevision.create({
          data: { planId, revision: 1, digest, canonicalText, itemCount: 1, frozenAt },
        });
      });
    }
  });
  afterAll(() => opened.close());

  function readsWith(limits: WorkflowStoreLimits) {
    const operation = workflowStore(opened.database, limits);
    return { operation, workflowOf: workflowsOf(operation()) };
  }
  const workflowsOf = (reads: WorkflowReadsOf, root?: object) => async (planId: string) => {
    const plan = await reads(root).content(planId, frozen.get(planId) ?? expect.unreachable());
    return plan?.plan.workflow ?? null;
  };
  const cost = async (read: () => Promise<unknown>) => {
    const before = statements.length;
    await read();
    return statements.length - before;
  };

  it("reads what is asked for together with one statement, and equal plans once", async () => {
    const { workflowOf } = readsWith(ROOM);
    const all = () => Promise.all(["A", "B", "C", "A"].map(workflowOf));
    expect(await cost(async () => expect(await all()).toEqual(["one", "two", "two", "one"]))).toBe(1);
    expect(await cost(all)).toBe(0);
  });

  it("shares what is in memory, and what is being read, between operations", async () => {
    const operation = workflowStore(opened.database, ROOM);
    const read = () => operation()(undefined).content("A", frozen.get("A") ?? expect.unreachable());
    expect(await cost(() => Promise.all([read(), read(), read()]))).toBe(1);
    expect(await cost(read)).toBe(0);
  });

  it("keeps no more in memory than it may", async () => {
    const { workflowOf } = readsWith({ ...ROOM, maxBytes: 10 });
    for (const planId of ["A", "A", "B"]) expect(await cost(() => workflowOf(planId))).toBe(1);
  });

  it.each([ROOM.maxBytes, 10])(
    "reads no more text than one answer may, also one after the other, with %i bytes of memory",
    async (maxBytes) => {
      const { operation, workflowOf } = readsWith({ maxBytes, maxTextBytes: 2_000 });
      expect(await Promise.all([workflowOf("A"), workflowOf("B")])).toEqual(["one", null]);
      expect(await workflowOf("B")).toBe(null);
      expect(await workflowsOf(operation())("B")).toBe("two");
      expect(await workflowOf("B")).toBe(null);
    },
  );

  it("gives each item of a feed as much as any other", async () => {
    const feed = readsWith({ ...ROOM, maxTextBytes: 2_000 }).operation();
    for (const planId of ["A", "B", "A"]) {
      const workflowOf = workflowsOf(feed, {});
      expect(await workflowOf(planId)).not.toBe(null);
      expect(await workflowOf(planId === "A" ? "B" : "A")).toBe(null);
    }
  });

  it("reads what another operation that asked for it had no room for", async () => {
    const { operation } = readsWith({ ...ROOM, maxTextBytes: 2_000 });
    const [large, small] = [workflowsOf(operation()), workflowsOf(operation())];
    const read = () => Promise.all([large("A"), large("B"), small("B")]);
    expect(await cost(async () => expect(await read()).toEqual(["one", null, "two"]))).toBe(2);
  });

  it("rejects a text that is not what was frozen, each time, and no other", async () => {
    const { workflowOf } = readsWith(ROOM);
    for (let time = 0; time < 2; time += 1) {
      const [broken, sound] = await Promise.allSettled([workflowOf("D"), workflowOf("A")]);
      expect(broken).toMatchObject({
        status: "rejected",
        reason: { message: expect.stringContaining("revision 1 of plan D"), cause: expect.any(Error) },
      });
      expect(sound).toEqual({ status: "fulfilled", value: "one" });
    }
  });

  it("rejects a revision that is not there", async () => {
    const reads = workflowStore(opened.database, ROOM)()(undefined);
    const missing = { revision: 2, digest: "0".repeat(64), itemCount: 0, frozenAt: "" };
    await expect(reads.content("A", missing)).rejects.toThrow("no workflow revision 2");
  });

  it("lists revisions as they were frozen", async () => {
    const reads = workflowStore(opened.database, ROOM)()(undefined);
    const window = { planId: "A", after: 0, before: 5, size: 10 };
    expect(await cost(() => Promise.all([reads.revisions(window), reads.revisions(window)]))).toBe(1);
    expect(await reads.revisions(window)).toEqual([frozen.get("A")]);
    expect(await reads.revisions({ ...window, after: 1 })).toEqual([]);
  });
});
