/** How a demonstration plan is told: what it is made of, and the moves that bring it where it stands. */
import type { Command } from "./api.js";

/** The tag by which the demonstration knows its own plans. */
export const DEMO_TAG = "demo";

/** The input of `createPlan` in the words that the stories use. */
export interface NewPlan {
  readonly name: string;
  readonly actionName: string;
  readonly description: string;
  readonly definitionOfDone?: string;
  readonly projectLinks: readonly {
    readonly projectName: string;
    readonly alias?: string;
    readonly readOnly?: boolean;
  }[];
  readonly automationLevel?: "MANUAL" | "REVIEW_BEFORE_APPLY" | "FULL_AUTOMATION";
  readonly automationProfileName?: string;
  readonly effectiveProfileSnapshot?: object;
  readonly invariants?: readonly {
    readonly text: string;
    readonly scope?: "PLAN" | "ACTION" | "PROJECT" | "GLOBAL";
    readonly sourceName?: string;
    readonly nonOverridable?: boolean;
  }[];
  readonly arguments?: object;
  readonly argumentsOrder?: readonly string[];
  readonly strategyActor?: string;
  readonly executionActor?: string;
  readonly estimationActor?: string;
  readonly invariantActor?: string;
  readonly tags?: readonly string[];
}

export interface Story {
  readonly plan: NewPlan;
  readonly moves: readonly Move[];
  readonly children?: readonly Story[];
}

/** A command on a plan that is there by then; its id is not in the input. */
export type Move = Command;

export interface Artifacts {
  readonly changesetId?: string;
  readonly sandboxRefs?: readonly string[];
  readonly validationSummary?: object;
  readonly estimate?: object;
  readonly note?: string;
}

const worker = "local/worker-1";
const operator = "local/ada";

export const start = (actor = worker): Move => ({ mutation: "startPhase", input: {}, actor });

export const complete = (artifacts: Artifacts = {}): Move => ({
  mutation: "completePhase",
  input: artifacts,
  actor: worker,
});

export const fail = (message: string, details?: object): Move => ({
  mutation: "failPhase",
  input: { message, details },
  actor: worker,
});

export const retry = (): Move => ({ mutation: "retryPhase", input: {}, actor: operator });

export const advance = (to: "EXECUTE" | "APPLY" | "APPLIED", note?: string): Move => ({
  mutation: "advancePlan",
  input: { to, note },
  actor: operator,
});

export const cancel = (reason: string): Move => ({
  mutation: "cancelPlan",
  input: { reason },
  actor: operator,
});

export const record = (artifacts: Omit<Artifacts, "note">): Move => ({
  mutation: "recordArtifacts",
  input: artifacts,
  actor: worker,
});

export const addInvariant = (invariant: NonNullable<NewPlan["invariants"]>[number]): Move => ({
  mutation: "addInvariant",
  input: { invariant },
  actor: operator,
});

export const archive = (): Move => ({ mutation: "archivePlan", input: {}, actor: operator });

/** Through STRATEGIZE by hand, into EXECUTE. */
export const strategised = (artifacts?: Artifacts): readonly Move[] => [
  start("local/planner"),
  complete(artifacts),
  advance("EXECUTE"),
];

/** Through STRATEGIZE and EXECUTE by hand, into APPLY. */
export const executed = (artifacts: Artifacts): readonly Move[] => [
  ...strategised(),
  start(),
  complete(artifacts),
  advance("APPLY", "Reviewed: the change set is what was planned."),
];
