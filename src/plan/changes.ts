/**
 * What each command does to a plan that it is allowed on: the plan after, and the event that says so.
 * Whether it is allowed is not asked here; see lifecycle. Every change raises the version by one.
 */
import type { CheckedPlan } from "../workflow/validate.js";
import { GOES_ON } from "./automation.js";
import type { EventSide, PlanEventType } from "./event.js";
import { mergeTopLevel } from "./json.js";
import { PHASE_MOVES } from "./lifecycle.js";
import type { Instant, Invariant, JsonObject, PhaseProgress, Plan, PlanPhase, Ulid } from "./plan.js";

/** One step of a plan, not yet in the log. */
export interface Change {
  /** Null at the creation. */
  readonly before: Plan | null;
  readonly after: Plan;
  readonly type: PlanEventType;
  readonly automatic: boolean;
  readonly data: JsonObject;
}

/** What a phase leaves behind; what is absent or null was not reported. */
export interface Artifacts {
  readonly changesetId?: string | null;
  readonly sandboxRefs?: readonly string[] | null;
  readonly validationSummary?: JsonObject | null;
  readonly estimate?: JsonObject | null;
  readonly decisionRootId?: Ulid | null;
}

export function creation(plan: Plan): Change {
  const { name, automationLevel, parentPlanId } = plan;
  const data = present({ name, automationLevel, parentPlanId });
  return { before: null, after: plan, type: "PLAN_CREATED", automatic: false, data };
}

/** The move into the next phase. */
export function advance(
  plan: Plan,
  to: PlanPhase,
  at: Instant,
  { note = null, automatic = false }: { readonly note?: string | null; readonly automatic?: boolean } = {},
): Change {
  const state = PHASE_MOVES[plan.phase]?.entersAs ?? plan.state;
  const applied = to === "APPLIED";
  const entered: PhaseProgress = {
    phase: to,
    queuedAt: applied ? null : at,
    startedAt: null,
    finishedAt: applied ? at : null,
    attempts: 0,
  };
  const after = {
    ...plan,
    phase: to,
    state,
    phases: [...plan.phases, entered],
    appliedAt: applied ? at : plan.appliedAt,
  };
  const change = step(plan, after, at, applied ? "PLAN_APPLIED" : "PHASE_ADVANCED", { note });
  return { ...change, automatic };
}

export function start(plan: Plan, at: Instant): Change {
  const phases = progressing(plan, ({ attempts }) => ({
    startedAt: at,
    finishedAt: null,
    attempts: attempts + 1,
  }));
  const attempt = phases.find(({ phase }) => phase === plan.phase)?.attempts ?? 1;
  return step(plan, { ...plan, state: "PROCESSING", phases }, at, "PHASE_STARTED", { attempt });
}

export function complete(plan: Plan, artifacts: Artifacts, note: string | null, at: Instant): Change {
  const phases = progressing(plan, () => ({ finishedAt: at }));
  const after: Plan = { ...recording(plan, artifacts), state: "COMPLETE", phases };
  return step(plan, after, at, "PHASE_COMPLETED", { ...reported(artifacts), note });
}

/** A failure, or one more of a phase that has failed already: details are merged, the message is the newest. */
export function fail(plan: Plan, message: string, details: JsonObject | null, at: Instant): Change {
  const after: Plan = {
    ...plan,
    state: "ERRORED",
    errorMessage: message,
    errorDetails: merged(plan.errorDetails, details),
  };
  return step(plan, after, at, "PHASE_FAILED", { message, details });
}

export function retry(plan: Plan, at: Instant): Change {
  const phases = progressing(plan, () => ({ queuedAt: at }));
  const after: Plan = { ...plan, state: "QUEUED", errorMessage: null, errorDetails: null, phases };
  return step(plan, after, at, "PHASE_RETRIED", {});
}

export function cancel(plan: Plan, reason: string | null, at: Instant): Change {
  const after: Plan = { ...plan, state: "CANCELLED", cancelledAt: at, cancelReason: reason };
  return step(plan, after, at, "PLAN_CANCELLED", { reason });
}

export function recordArtifacts(plan: Plan, artifacts: Artifacts, at: Instant): Change {
  return step(plan, recording(plan, artifacts), at, "ARTIFACTS_RECORDED", reported(artifacts));
}

export function addInvariant(plan: Plan, invariant: Invariant, at: Instant): Change {
  const after: Plan = { ...plan, invariants: [...plan.invariants, invariant] };
  return step(plan, after, at, "INVARIANT_ADDED", { ...invariant });
}

/** One more revision of the workflow; the one that counts from now on. */
export function freezeWorkflow(plan: Plan, content: CheckedPlan, at: Instant): Change {
  const { digest, plan: workflow } = content;
  const revision = (plan.workflow?.revision ?? 0) + 1;
  const frozen = { revision, digest, itemCount: workflow.items.length, frozenAt: at, content };
  return step(plan, { ...plan, workflow: frozen }, at, "WORKFLOW_FROZEN", { revision, digest });
}

export function setTags(plan: Plan, tags: readonly string[], at: Instant): Change {
  return step(plan, { ...plan, tags }, at, "TAGS_CHANGED", {});
}

export function archive(plan: Plan, at: Instant): Change {
  return step(plan, { ...plan, archivedAt: at }, at, "PLAN_ARCHIVED", {});
}

export function unarchive(plan: Plan, at: Instant): Change {
  return step(plan, { ...plan, archivedAt: null }, at, "PLAN_UNARCHIVED", {});
}

/** The move that a plan makes by itself now, or null where it waits (domain.md §4). */
export function automaticMove(plan: Plan, at: Instant): Change | null {
  const next = PHASE_MOVES[plan.phase];
  if (next === null || plan.state !== "COMPLETE" || !GOES_ON[plan.automationLevel][plan.phase]) return null;
  return advance(plan, next.to, at, { automatic: true });
}

/** A plan as one side of an event. */
export function side({ phase, state, tags }: Plan): EventSide {
  return { phase, state, tags };
}

/** A reported object within those reported before, by top-level key. */
export function merged(current: JsonObject | null, added: JsonObject | null): JsonObject | null {
  if (current === null || added === null) return added ?? current;
  return mergeTopLevel(current, added);
}

/** Sandbox refs behind those recorded before, each once. */
export function joinedRefs(
  current: readonly string[],
  added: readonly string[] | null | undefined,
): readonly string[] {
  return [...new Set([...current, ...(added ?? [])])];
}

function step(
  before: Plan,
  after: Plan,
  at: Instant,
  type: PlanEventType,
  data: Readonly<Record<string, JsonObject[string] | undefined>>,
): Change {
  return {
    before,
    after: { ...after, version: before.version + 1, updatedAt: at },
    type,
    automatic: false,
    data: present(data),
  };
}

function progressing(
  plan: Plan,
  patch: (progress: PhaseProgress) => Partial<PhaseProgress>,
): readonly PhaseProgress[] {
  return plan.phases.map((progress) =>
    progress.phase === plan.phase ? { ...progress, ...patch(progress) } : progress,
  );
}

/** Ids and estimate replace, sandbox refs are added without repeats, the validation summary is merged (domain.md §3). */
function recording(plan: Plan, artifacts: Artifacts): Plan {
  return {
    ...plan,
    changesetId: artifacts.changesetId ?? plan.changesetId,
    sandboxRefs: joinedRefs(plan.sandboxRefs, artifacts.sandboxRefs),
    validationSummary: merged(plan.validationSummary, artifacts.validationSummary ?? null),
    estimate: artifacts.estimate ?? plan.estimate,
    decisionRootId: artifacts.decisionRootId ?? plan.decisionRootId,
  };
}

function reported(artifacts: Artifacts): Readonly<Record<string, JsonObject[string] | undefined>> {
  const { changesetId, sandboxRefs, validationSummary, estimate, decisionRootId } = artifacts;
  return { changesetId, sandboxRefs, validationSummary, estimate, decisionRootId };
}

/** What was given: without the keys that are null or absent. */
function present(data: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, JsonObject[string]] => entry[1] != null),
  );
}
