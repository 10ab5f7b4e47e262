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
import type { PlanUnitOfWork, Reach, Transact, UsedKey } from "./port.js";

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
  readonly transact: Transact;
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
    reach: Pick<Reach, "planId" | "parentId" | "isLarge">,
    work: (part: CommandPart) => Outcome,
  ): Promise<Outcome> {
    const isRehearsal = input.dryRun === true;
    const key = usedKey(command, input);
    const outcome = await transact({ ...reach, key: key?.key ?? null, isRehearsal }, (unit) =>
      once(unit, key, () => work({ unit, key, isRehearsal })),
    );
    if (isRehearsal) return outcome;
    if (!("code" in outcome)) committed();
    answered(command, "code" in outcome ? outcome.code : "SUCCESS");
    return outcome;
  }

  return {
    create: (actor, input) => {
      const parentId = parentIdOf(input);
      return carryOut("CREATE_PLAN", input, { planId: null, parentId, isLarge: false }, (part) => {
        const { at } = part.unit;
        const parent = parentId === null ? null : part.unit.find(parentId);
        if (parentId !== null && parent === null) return notFound(parentId);
        return succeed(part, actor, [creation(newPlan(input, parent, at, newUlid))]);
      });
    },

    run: (name, actor, input) => {
      const definition = DEFINITIONS[name];
      const planId = idOf(input.planId);
      const reach = { planId, parentId: null, isLarge: definition.isLarge === true };
      return carryOut(name, definition.essence?.(input) ?? input, reach, (part) => {
        const { unit, key } = part;
        const plan = unit.find(planId);
        if (plan === null) return notFound(planId);
        const issues = definition.issues?.(plan, input) ?? [];
        if (issues.length > 0) return { code: "INVALID_INPUT", message: "The input breaks a rule.", issues };
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
          if (key !== null) unit.remember(key, plan.id);
          return { plan, seq: unit.head };
        }
        const change = definition.change(plan, input, unit.at, newUlid);
        return succeed(part, actor, withAutomaticMoves(change, unit.at));
      });
    },
  };
}

/** A command's part of a transaction, and how it takes part. */
interface CommandPart {
  readonly unit: PlanUnitOfWork;
  readonly key: UsedKey | null;
  readonly isRehearsal: boolean;
}

/** The success that changes are; a rehearsal shows them at the head as it is now. */
function succeed(
  { unit, key, isRehearsal }: CommandPart,
  actor: NamespacedName,
  changes: readonly Change[],
): Success {
  const last = changes.at(-1);
  if (last === undefined) throw new Error("A command made no change.");
  return { plan: last.after, seq: isRehearsal ? unit.head : unit.append(actor, changes, key) };
}

/** A dry run uses no key. */
function usedKey(command: string, { idempotencyKey: key, dryRun, ...payload }: Repeatable): UsedKey | null {
  return key == null || dryRun === true ? null : { key, fingerprint: fingerprintOf(command, payload) };
}

/** Answers a repeated idempotency key with what its first command did. */
function once(unit: PlanUnitOfWork, used: UsedKey | null, work: () => Outcome): Outcome {
  const { remembered } = unit;
  if (remembered === null) return work();
  const plan = unit.find(remembered.planId);
  if (plan === null) throw new Error("An idempotency key names a plan that is not there.");
  if (remembered.fingerprint === used?.fingerprint) return { plan, seq: remembered.seq };
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
