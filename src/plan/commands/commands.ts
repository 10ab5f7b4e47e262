/**
 * The commands: each loads its plan under a lock, asks the tables, and writes the plan with its event in one
 * transaction; or it answers with one refusal (domain.md §5, where the order of the refusals stands too).
 */
import { automaticMove, type Change, creation } from "../changes.js";
import { parseUlid } from "../identifiers.js";
import type { CreatePlanInput, InputOf } from "../inputs.js";
import { blockers, describePosition, destination, type PlanCommandName } from "../lifecycle.js";
import type { Instant, NamespacedName, Plan, Ulid } from "../plan.js";
import type { Refusal } from "../refusals.js";
import { newPlan, parentIdOf } from "./creation.js";
import { DEFINITIONS, type Repeatable } from "./definitions.js";
import { fingerprintOf } from "./fingerprint.js";
import type { Appended, PlanUnitOfWork, UsedKey } from "./port.js";

/** A command that happened: the plan after it, and its last event's place in the log. */
export interface Success {
  readonly plan: Plan;
  readonly seq: bigint;
}

export type Outcome = Success | Refusal;

export interface PlanCommands {
  create(actor: NamespacedName, input: CreatePlanInput): Promise<Outcome>;
  run<Name extends PlanCommandName>(
    name: Name,
    actor: NamespacedName,
    input: InputOf[Name],
  ): Promise<Outcome>;
}

export interface CommandPorts {
  transact<Result>(work: (unit: PlanUnitOfWork) => Promise<Result>): Promise<Result>;
  newUlid(): Ulid;
  /** Called when events were committed, so that the feeds of this process need not wait for a look at the log. */
  committed(): void;
  /** Told of every command that was answered, dry runs left out: its name, and SUCCESS or the code of its refusal. */
  answered(command: string, result: string): void;
}

export function planCommands({ transact, newUlid, committed, answered }: CommandPorts): PlanCommands {
  async function carryOut(
    command: string,
    input: Repeatable,
    work: (unit: PlanUnitOfWork, append: Append, key: UsedKey | null) => Promise<Outcome>,
    actor: NamespacedName,
  ): Promise<Outcome> {
    const key = usedKey(command, input);
    let appended = false;
    const outcome = await transact(async (unit) => {
      const append: Append =
        input.dryRun === true ? rehearse(unit) : (changes) => unit.append(actor, changes, key);
      appended = false;
      const outcome = await once(unit, key, () => work(unit, append, key));
      appended = !("code" in outcome) && input.dryRun !== true;
      return outcome;
    });
    if (appended) committed();
    if (input.dryRun !== true) answered(command, "code" in outcome ? outcome.code : "SUCCESS");
    return outcome;
  }

  return {
    create: (actor, input) =>
      carryOut(
        "CREATE_PLAN",
        input,
        async (unit, append) => {
          const parentId = parentIdOf(input);
          const parent = parentId === null ? null : await unit.find(parentId);
          if (parentId !== null && parent === null) return notFound(parentId);
          return success(await append((at) => [creation(newPlan(input, parent, at, newUlid))]));
        },
        actor,
      ),

    run: (name, actor, input) => {
      const definition = DEFINITIONS[name];
      return carryOut(
        name,
        definition.essence?.(input) ?? input,
        async (unit, append, key) => {
          const plan = await unit.lock(idOf(input.planId));
          if (plan === null) return notFound(idOf(input.planId));
          const issues = definition.issues?.(plan, input) ?? [];
          if (issues.length > 0)
            return { code: "INVALID_INPUT", message: "The input breaks a rule.", issues };
          const { expectedVersion } = input;
          if (expectedVersion != null && expectedVersion !== plan.version)
            return versionConflict(plan, expectedVersion);
          const intent = definition.intent(input);
          const found = blockers(plan, intent);
          if (found.length > 0) {
            const to = destination(plan, intent);
            const from = { phase: plan.phase, state: plan.state };
            const message = `${name} is not allowed on a plan in ${describePosition(plan)}.`;
            return { code: "TRANSITION_REJECTED", message, from, to, blockers: found };
          }
          if (definition.isMet?.(plan, input)) {
            // Without an event of its own, everything up to the head has happened already.
            const { seq } = await unit.glance();
            if (key !== null) await unit.remember(key, plan.id, seq);
            return { plan, seq };
          }
          return success(
            await append((at) => withAutomaticMoves(definition.change(plan, input, at, newUlid), at)),
          );
        },
        actor,
      );
    },
  };
}

type Append = (changes: (at: Instant) => readonly Change[]) => Promise<Appended>;

/** What a command would write, at the head as it is now. */
function rehearse(unit: PlanUnitOfWork): Append {
  return async (changes) => {
    const { seq, at } = await unit.glance();
    return { changes: changes(at), seq };
  };
}

/** A dry run uses no key. */
function usedKey(command: string, { idempotencyKey: key, dryRun, ...payload }: Repeatable): UsedKey | null {
  return key == null || dryRun === true ? null : { key, fingerprint: fingerprintOf(command, payload) };
}

/** Answers a repeated idempotency key with what its first command did. */
async function once(
  unit: PlanUnitOfWork,
  used: UsedKey | null,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const first = used === null ? null : await unit.recall(used.key);
  if (first === null) return work();
  const plan = await unit.find(first.planId);
  if (plan === null) throw new Error("An idempotency key names a plan that is not there.");
  if (first.fingerprint === used?.fingerprint) return { plan, seq: first.seq };
  const message = "The idempotency key was used by another command, or with another input.";
  return { code: "IDEMPOTENCY_CONFLICT", message, plan };
}

/** A change, and all that the plan then does by itself. */
function withAutomaticMoves(change: Change, at: Instant): readonly Change[] {
  const changes = [change];
  for (let move = automaticMove(change.after, at); move !== null; move = automaticMove(move.after, at)) {
    changes.push(move);
  }
  return changes;
}

function success({ changes, seq }: Appended): Success {
  const last = changes.at(-1);
  if (last === undefined) throw new Error("A command made no change.");
  return { plan: last.after, seq };
}

function notFound(id: Ulid): Refusal {
  return { code: "NOT_FOUND", message: `There is no plan ${id}.`, id };
}

function versionConflict(plan: Plan, expected: number): Refusal {
  const message = `The plan has version ${plan.version}, not ${expected}.`;
  return { code: "VERSION_CONFLICT", message, actualVersion: plan.version, plan };
}

function idOf(text: string): Ulid {
  const id = parseUlid(text);
  if (id === null) throw new Error("An id came past the schema of its input.");
  return id;
}
