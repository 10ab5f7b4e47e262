/**
 * Every command on a plan in every position, through the API, against the tables of domain.md §1 as they stand in
 * ./expected-lifecycle. What a command answers, what its dry run answers and what `availableActions` says is
 * asked side by side: they must never differ.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canTransition, describePosition } from "../../src/plan/lifecycle.js";
import { PLAN_PHASES, type Position } from "../../src/plan/plan.js";
import { appHomes, type TestApp } from "../support/app.js";
import {
  createPlanAt,
  historyOf,
  type Outcome,
  type PlanFacts,
  readPlan,
  runAll,
  type Step,
} from "../support/plans.js";
import {
  ATTEMPTS,
  type Attempt,
  FINAL_POSITIONS,
  LIFECYCLE,
  POSITIONS,
  type Verdict,
  verdict,
} from "./expected-lifecycle.js";

interface Action {
  readonly command: string;
  readonly to: string | null;
  readonly allowed: boolean;
  readonly blockers: Outcome["blockers"];
}

describe.each(appHomes)("the lifecycle ($name)", ({ start }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.close());

  it.each(POSITIONS)(
    "lets a plan in $phase/$state do what its tables say, and nothing else",
    async (from) => {
      const { id } = await createPlanAt(app, from.phase, from.state);
      const before = await readPlan<PlanFacts & { actions: Action[] }>(app, id, WITH_ACTIONS);

      // The dry runs have the keys of the commands: had they used them, the commands would conflict or be replays.
      const rehearsals = await runAll(
        app,
        id,
        ATTEMPTS.map((attempt) => stepOf(attempt, id, { dryRun: true })),
      );
      expect(await readPlan(app, id, WITH_ACTIONS)).toEqual(before);
      expect(await historyOf(app, id)).toHaveLength(before.version);

      const staying = ATTEMPTS.filter((attempt) => !changesTheTest(from, attempt));
      const stayed = await runAll(
        app,
        id,
        staying.map((attempt) => stepOf(attempt, id)),
      );
      const answers: Outcome[] = [];
      for (const attempt of ATTEMPTS) {
        answers.push(
          stayed[staying.indexOf(attempt)] ?? (await runOnAnotherPlan(app, from, stepOf(attempt, id))),
        );
      }
      expect(answers.map(verdictOf)).toEqual(ATTEMPTS.map((attempt) => verdict(from, attempt)));
      expect(await readPlan(app, id)).toMatchObject({
        ...from,
        version: before.version + stayed.filter(happened).length,
      });

      expect(rehearsals.map(comparable)).toEqual(answers.map(comparable));
      expect(before.actions).toEqual(
        ATTEMPTS.flatMap((attempt, index) => actionOf(from, attempt, answers[index])),
      );
      for (const { code, message } of answers.flatMap(({ blockers = [] }) => blockers)) {
        if (code === "PLAN_FINAL") expect(message).toContain(describePosition(from));
      }
    },
  );

  it.each(FINAL_POSITIONS)(
    "archives a plan in $phase/$state once, tags it there, and brings it back once",
    async (position) => {
      const { id, version } = await createPlanAt(app, position.phase, position.state);
      const outcomes = await runAll(app, id, [
        "archivePlan",
        "archivePlan",
        ["setTags", { tags: ["kept"] }],
        "unarchivePlan",
        "unarchivePlan",
      ]);
      expect(outcomes.map(verdictOf)).toEqual([
        { leadsTo: position },
        { blockedBy: ["ALREADY_THERE"] },
        { leadsTo: position },
        { leadsTo: position },
        { blockedBy: ["ALREADY_THERE"] },
      ]);
      expect(outcomes[3]?.plan.version).toBe(version + 3);
    },
  );

  it("tells its tables as domain.md has them", async () => {
    const { lifecycle } = await app.ask<{ lifecycle: object }>(`{ lifecycle {
      phases states phaseMoves { from to entersAs } stateMoves { command from to }
      recordRules { command final archived phases states }
    } }`);
    expect(lifecycle).toEqual(LIFECYCLE);
  });
});

describe("canTransition", () => {
  const pairs = PLAN_PHASES.flatMap((from) => PLAN_PHASES.map((to) => ({ from, to })));

  it.each(pairs)("knows whether a plan goes from $from to $to", ({ from, to }) => {
    const follows = LIFECYCLE.phaseMoves.some((move) => move.from === from && move.to === to);
    expect(canTransition(from, to)).toBe(follows);
  });
});

const WITH_ACTIONS = "...Facts actions: availableActions { command to allowed blockers { code message } }";

function stepOf({ mutation, input }: Attempt, planId: string, more: object = {}): Step {
  return [mutation, { ...input, idempotencyKey: `${planId} ${mutation} ${input.to ?? ""}`, ...more }];
}

/** Whether the plan would stand elsewhere afterwards, or be archived: the other commands then need another plan. */
function changesTheTest(from: Position, attempt: Attempt): boolean {
  const expected = verdict(from, attempt);
  if ("blockedBy" in expected) return false;
  return attempt.command === "ARCHIVE_PLAN" || describePosition(expected.leadsTo) !== describePosition(from);
}

async function runOnAnotherPlan(app: TestApp, { phase, state }: Position, step: Step): Promise<Outcome> {
  const { id, version } = await createPlanAt(app, phase, state);
  const [answer] = await runAll(app, id, [step]);
  if (answer === undefined) throw new Error("A mutation had no answer.");
  if (happened(answer)) expect(answer.plan.version).toBe(version + 1);
  return answer;
}

function happened({ cursor }: Outcome): boolean {
  return cursor !== undefined;
}

function verdictOf(outcome: Outcome): Verdict | Outcome {
  if (happened(outcome)) return { leadsTo: { phase: outcome.plan.phase, state: outcome.plan.state } };
  if (outcome.__typename !== "TransitionRejected") return outcome;
  return { blockedBy: (outcome.blockers ?? []).map(({ code }) => code) };
}

/** What a dry run and its command have in common: all but times, version and place in the log. */
function comparable({ cursor, plan, ...rest }: Outcome): object {
  return cursor === undefined ? rest : { ...rest, phase: plan.phase, state: plan.state };
}

/** What `availableActions` must have said of an answer. Of the phase moves it names one, the next. */
function actionOf(from: Position, { command, input }: Attempt, answer: Outcome | undefined): Action[] {
  const next = LIFECYCLE.phaseMoves.find((move) => move.from === from.phase)?.to ?? null;
  if (input.to !== undefined && input.to !== (next ?? from.phase)) return [];
  const to = input.to === undefined ? null : next;
  const blockers = answer?.blockers ?? [];
  return [{ command, to, allowed: blockers.length === 0, blockers }];
}
