/**
 * Commands that wait are carried out together: a transaction takes what has come up while the one before ran, so
 * that its round trips and its commit are shared, and a command that comes alone waits for nobody. Each succeeds or is
 * refused on its own. docs/decisions/commands-share-transactions.md says why, and what else was considered.
 */
import type { Database, RunStatement } from "../../database/database.js";
import { isRefused } from "../../database/retry.js";
import type { PlanUnitOfWork, Reach, Transact } from "../commands/port.js";
import type { Aggregates } from "./aggregates.js";
import { type AboutHeld, layGround } from "./ground.js";
import { SharedWork } from "./unit-of-work.js";
import { latestPlans, writing } from "./writing.js";

/** How many transactions of commands that share run at once: while one commits, the next one locks and reads. */
const SHARED_AT_ONCE = 2;
/** How many commands share one at most. */
const SIZE = 64;
/** How many commands have a transaction of their own at once; they may wait long, and others need connections too. */
const ALONE_AT_ONCE = 4;

interface WaitingCommand {
  readonly reach: Reach;
  /** Decides, and returns what tells the caller of it once it is committed. */
  decide(unit: PlanUnitOfWork): () => void;
  fail(error: unknown): void;
  /** Whether it is carried out in a transaction of its own. */
  alone: boolean;
}

/** Carries commands out, several in one transaction. */
export function batches(database: Database, aggregates: Aggregates): Transact {
  let waiting: WaitingCommand[] = [];
  /** The keys and plans of the commands under way. */
  const touched = new Set<string>();
  const running = { shared: 0, alone: 0 };

  function begin(): void {
    while (running.shared < SHARED_AT_ONCE && start("shared", SIZE));
    while (running.alone < ALONE_AT_ONCE && start("alone", 1));
  }

  function start(kind: "shared" | "alone", size: number): boolean {
    const commands = take(kind === "alone", size);
    if (commands.length === 0) return false;
    running[kind] += 1;
    const names = commands.flatMap(namesOf);
    for (const name of names) touched.add(name);
    carryOut(commands, kind === "alone" ? "WAIT" : "LEAVE").then((again) => {
      running[kind] -= 1;
      for (const name of names) touched.delete(name);
      for (const command of again) command.alone = true;
      waiting.unshift(...again);
      begin();
    });
    return true;
  }

  /** The first that may begin. Those that touch the same come in the order in which they were asked for. */
  function take(alone: boolean, size: number): readonly WaitingCommand[] {
    const taken: WaitingCommand[] = [];
    const left: WaitingCommand[] = [];
    const spoken = new Set(touched);
    for (const command of waiting) {
      const names = namesOf(command);
      if (command.alone === alone && taken.length < size && !names.some((name) => spoken.has(name))) {
        taken.push(command);
      } else {
        left.push(command);
        for (const name of names) spoken.add(name);
      }
    }
    waiting = left;
    return taken;
  }

  /** Answers which of the commands are to be carried out again, alone: nothing of them has happened. */
  async function carryOut(
    commands: readonly WaitingCommand[],
    aboutHeld: AboutHeld,
  ): Promise<readonly WaitingCommand[]> {
    try {
      const { changed, held, answers } = await database.write((run) => together(run, commands, aboutHeld));
      for (const plan of changed) aggregates.keep(plan);
      for (const answer of answers) answer();
      return held;
    } catch (error) {
      // Nothing has happened, and one of them is at fault for what the others need not suffer.
      if (commands.length > 1 && isRefused(error)) return commands;
      for (const command of commands) command.fail(error);
      return [];
    }
  }

  async function together(run: RunStatement, commands: readonly WaitingCommand[], aboutHeld: AboutHeld) {
    const ground = await layGround(
      run,
      commands.map(({ reach }) => reach),
      aggregates,
      aboutHeld,
    );
    const isHeld = ({ reach: { key, planId } }: WaitingCommand) =>
      (key !== null && ground.held.keys.has(key)) || (planId !== null && ground.held.plans.has(planId));
    const work = new SharedWork(ground);
    const answers = commands.filter((command) => !isHeld(command)).map((command) => decide(command, work));
    const statement = writing(work.deeds);
    if (statement !== null) await run(statement);
    return { changed: latestPlans(work.deeds.changes), held: commands.filter(isHeld), answers };
  }

  return (reach, work) =>
    new Promise((resolve, reject) => {
      waiting.push({
        reach,
        decide: (unit) => {
          const result = work(unit);
          return () => resolve(result);
        },
        fail: reject,
        alone: reach.isLarge,
      });
      begin();
    });
}

/** A command that fails by a mistake of its own fails alone. */
function decide(command: WaitingCommand, work: SharedWork): () => void {
  try {
    return command.decide(work.unit(command.reach));
  } catch (error) {
    return () => command.fail(error);
  }
}

function namesOf({ reach: { key, planId } }: WaitingCommand): readonly string[] {
  return [key === null ? null : `key ${key}`, planId].filter((name) => name !== null);
}
