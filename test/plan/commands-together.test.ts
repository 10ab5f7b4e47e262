/** Commands that wait at the same time share transactions, and none of them notices. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectDatabase } from "../../src/database/connect.js";
import type { Database } from "../../src/database/database.js";
import { Prisma } from "../../src/database/generated/client.js";
import { type Outcome, type PlanCommands, planCommands } from "../../src/plan/commands/commands.js";
import { ulidGenerator } from "../../src/plan/identifiers.js";
import type { CreatePlanInput } from "../../src/plan/inputs.js";
import type { Plan } from "../../src/plan/plan.js";
import { type PlanStore, planStore } from "../../src/plan/store/store.js";
import { administrate, homes, type OpenDatabase } from "../support/databases.js";

const ACTOR = "local/tester";
const NEW_PLAN: CreatePlanInput = { actionName: "review", projectLinks: [{ projectName: "shop" }] };

function commandsOn(database: Database): { store: PlanStore; commands: PlanCommands } {
  const store = planStore(database, 1_000_000);
  const ports = { newUlid: ulidGenerator(Date.now), committed: () => {}, answered: () => {} };
  return { store, commands: planCommands({ transact: store.transact, ...ports }) };
}

function planOf(outcome: Outcome): Plan {
  if ("code" in outcome) throw new Error(outcome.message);
  return outcome.plan;
}

const codeOf = (outcome: Outcome) => ("code" in outcome ? outcome.code : "SUCCESS");

describe.each(homes)("commands at the same time ($name)", ({ name, open }) => {
  const statements: string[] = [];
  let home: OpenDatabase;
  let store: PlanStore;
  let commands: PlanCommands;
  beforeAll(async () => {
    home = await open({ onStatement: (text) => statements.push(text) });
    ({ store, commands } = commandsOn(home.database));
  });
  afterAll(() => home.close());

  const create = (input: Partial<CreatePlanInput> = {}) => commands.create(ACTOR, { ...NEW_PLAN, ...input });
  /** Fills the transactions that begin at once, so that whatever is asked for next shares the one after them. */
  const busy = () => [create(), create()];

  async function expectWholeLog(): Promise<void> {
    const [log] = await home.database.read<{ head: string; events: string; numbers: string; back: boolean }>(
      Prisma.sql`SELECT (SELECT seq::text FROM event_log) AS head, count(*)::text AS events,
        count(DISTINCT seq)::text AS numbers, coalesce(bool_or(at < before), false) AS back
        FROM (SELECT seq, at, lag(at) OVER (ORDER BY seq) AS before FROM plan_event) e`,
    );
    expect(log).toEqual({ head: log?.head, events: log?.head, numbers: log?.head, back: false });
  }

  it("cost as many statements as three of them", async () => {
    statements.length = 0;
    const plans = (await Promise.all(Array.from({ length: 30 }, () => create()))).map(planOf);
    expect(new Set(plans.map(({ id }) => id)).size).toBe(30);
    expect(statements).toHaveLength(3 * 2);
    await expectWholeLog();
  });

  it("see what those before them did to the same plan", async () => {
    const { id: planId } = planOf(await create());
    const [, , ...outcomes] = await Promise.all([
      ...busy(),
      commands.run("START_PHASE", ACTOR, { planId }),
      commands.run("COMPLETE_PHASE", ACTOR, { planId, expectedVersion: 2 }),
      commands.run("COMPLETE_PHASE", ACTOR, { planId }),
      commands.run("SET_TAGS", ACTOR, { planId, tags: ["late"], expectedVersion: 2 }),
      commands.run("ADD_INVARIANT", ACTOR, { planId, invariant: { text: "First." } }),
      commands.run("ADVANCE_PLAN", ACTOR, { planId, to: "EXECUTE", dryRun: true }),
      commands.run("ADVANCE_PLAN", ACTOR, { planId, to: "EXECUTE" }),
      commands.run("ADD_INVARIANT", ACTOR, { planId, invariant: { text: "Second." } }),
      create({ parentPlanId: planId }),
    ]);
    expect(outcomes.map(codeOf)).toEqual([
      "SUCCESS",
      "SUCCESS",
      "TRANSITION_REJECTED",
      "VERSION_CONFLICT",
      "SUCCESS",
      "SUCCESS",
      "SUCCESS",
      "SUCCESS",
      "SUCCESS",
    ]);
    const stored = await store.plan(planId, new Map());
    expect(stored?.plan).toEqual(outcomes[7] && planOf(outcomes[7]));
    expect(stored?.plan).toMatchObject({ version: 6, phase: "EXECUTE", state: "QUEUED" });
    await expectWholeLog();
  });

  it("leave in the database what they answer", async () => {
    const { id: planId } = planOf(await create({ automationLevel: "FULL_AUTOMATION" }));
    await Promise.all([
      ...busy(),
      commands.run("START_PHASE", ACTOR, { planId }),
      commands.run("COMPLETE_PHASE", ACTOR, { planId, validationSummary: { b: 1, a: [null] } }),
    ]);
    const last = planOf(
      await commands.run("ADD_INVARIANT", ACTOR, { planId, invariant: { text: "Third." } }),
    );
    // A store that has read nothing yet.
    const stored = await commandsOn(home.database).store.plan(planId, new Map());
    expect(stored?.plan).toEqual(last);
  });

  it("hold one success for all that use its key", async () => {
    const idempotencyKey = "together";
    const [, , ...outcomes] = await Promise.all([
      ...busy(),
      create({ idempotencyKey }),
      create({ idempotencyKey }),
      create({ idempotencyKey, description: "Another." }),
      create({ idempotencyKey }),
    ]);
    expect(outcomes.map(codeOf)).toEqual(["SUCCESS", "SUCCESS", "IDEMPOTENCY_CONFLICT", "SUCCESS"]);
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(await create({ idempotencyKey })).toEqual(outcomes[0]);
  });

  it("succeed beside one that fails by a mistake of the server", async () => {
    const reach = { key: null, planId: null, parentId: null, isRehearsal: false, isLarge: false };
    const mistaken = store.transact(reach, () => {
      throw new Error("a mistake");
    });
    const others = Promise.all([...busy(), create(), create()]);
    await expect(mistaken).rejects.toThrow("a mistake");
    expect((await others).map(codeOf)).toEqual(["SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS"]);
    await expectWholeLog();
  });

  it("succeed beside one that the database refuses", async () => {
    await home.database.transaction(
      (tx) => tx.$executeRaw`ALTER TABLE plan ADD CONSTRAINT no_such_name CHECK (name <> 'local/refused')`,
    );
    const [, , before, refused, after] = await Promise.allSettled([
      ...busy(),
      create({ name: "before" }),
      create({ name: "refused" }),
      create({ name: "after" }),
    ]);
    expect([before?.status, refused?.status, after?.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await expectWholeLog();
  });

  if (name === "embedded") return;

  it("do not wait for one whose plan or key somebody else holds", async () => {
    if (home.config.kind !== "server") throw new Error("This needs a second connection.");
    const { id: planId } = planOf(await create());
    const { id: free } = planOf(await create());
    const onFree = (tags: readonly string[]) =>
      commands.run("SET_TAGS", ACTOR, { planId: free, tags: [...tags] });
    const waiting = await administrate(async (other) => {
      await other.query("BEGIN");
      await other.query("SELECT id FROM plan WHERE id = $1 FOR UPDATE", [planId]);
      await other.query("SELECT pg_advisory_xact_lock(hashtextextended('held', 0))");
      const onHeld = [
        commands.run("START_PHASE", ACTOR, { planId }),
        commands.run("START_PHASE", ACTOR, { planId }),
        create({ idempotencyKey: "held" }),
      ];
      let answered = 0;
      for (const outcome of onHeld) outcome.then(() => (answered += 1));
      for (let round = 0; round < 5; round += 1) {
        const outcomes = await Promise.all([
          ...busy(),
          onFree([`${round}`]),
          create({ idempotencyKey: `${round}` }),
        ]);
        expect(outcomes.map(codeOf)).toEqual(["SUCCESS", "SUCCESS", "SUCCESS", "SUCCESS"]);
      }
      expect(answered).toBe(0);
      await other.query("COMMIT");
      return onHeld;
    }, home.config.url);
    const outcomes = await Promise.all(waiting);
    expect(outcomes.map(codeOf)).toEqual(["SUCCESS", "TRANSITION_REJECTED", "SUCCESS"]);
    await expectWholeLog();
  });

  it("of two processes on the same plans and keys fit into one log", async () => {
    const second = await connectDatabase(home.config);
    try {
      const processes = [commands, commandsOn(second).commands];
      const plans = await Promise.all(Array.from({ length: 4 }, () => create()));
      const ids = plans.map((plan) => planOf(plan).id);
      const outcomes = await Promise.all(
        Array.from({ length: 80 }, (_, index) =>
          processes.flatMap((commands) => [
            commands.run("SET_TAGS", ACTOR, { planId: ids[index % 4] ?? "", tags: [`${index}`] }),
            commands.create(ACTOR, { ...NEW_PLAN, idempotencyKey: `pair ${index}`, parentPlanId: ids[0] }),
          ]),
        ).flat(),
      );
      expect(new Set(outcomes.map(codeOf))).toEqual(new Set(["SUCCESS"]));
      for (const id of ids) {
        expect((await store.plan(id, new Map()))?.plan.version).toBe(1 + 2 * 20);
      }
      const children = await home.database.read<{ count: string }>(
        Prisma.sql`SELECT count(*)::text AS count FROM plan WHERE parent_plan_id = ${ids[0]}`,
      );
      expect(children).toEqual([{ count: "80" }]);
      await expectWholeLog();
    } finally {
      await second.close();
    }
  });
});
