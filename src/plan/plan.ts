/**
 * What a plan is: its words and its shape. No rules live here; see lifecycle, invariants, automation and names.
 * A `Plan` is the whole aggregate (links, phases and invariants included), immutable: a command makes a new one.
 */

import type { WorkflowRevision } from "../workflow/revision.js";

export const PLAN_PHASES = ["STRATEGIZE", "EXECUTE", "APPLY", "APPLIED"] as const;
export type PlanPhase = (typeof PLAN_PHASES)[number];

export const PLAN_STATES = ["QUEUED", "PROCESSING", "ERRORED", "COMPLETE", "CANCELLED"] as const;
export type PlanState = (typeof PLAN_STATES)[number];

export const AUTOMATION_LEVELS = ["MANUAL", "REVIEW_BEFORE_APPLY", "FULL_AUTOMATION"] as const;
export type AutomationLevel = (typeof AUTOMATION_LEVELS)[number];

/** Highest precedence first. */
export const INVARIANT_SCOPES = ["PLAN", "ACTION", "PROJECT", "GLOBAL"] as const;
export type InvariantScope = (typeof INVARIANT_SCOPES)[number];

/** A point in time: ISO 8601, UTC, milliseconds, `Z`; so text order is time order. */
export type Instant = string;

/** A ULID in upper case. */
export type Ulid = string;

/** A namespaced name in full: `[server:]namespace/name`. */
export type NamespacedName = string;

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Where a plan stands. */
export interface Position {
  readonly phase: PlanPhase;
  readonly state: PlanState;
}

export interface ProjectLink {
  readonly projectName: NamespacedName;
  readonly alias: string | null;
  readonly readOnly: boolean;
}

export interface Invariant {
  readonly id: Ulid;
  readonly text: string;
  readonly scope: InvariantScope;
  readonly sourceName: string | null;
  readonly nonOverridable: boolean;
}

/** How far a plan got in a phase that it has entered. */
export interface PhaseProgress {
  readonly phase: PlanPhase;
  readonly queuedAt: Instant | null;
  /** The last start. */
  readonly startedAt: Instant | null;
  /** Set by completion only. */
  readonly finishedAt: Instant | null;
  /** Counts starts. */
  readonly attempts: number;
}

export interface Plan extends Position {
  readonly id: Ulid;
  readonly name: NamespacedName;
  readonly actionName: NamespacedName;
  readonly description: string;
  readonly definitionOfDone: string | null;
  readonly automationLevel: AutomationLevel;
  readonly automationProfileName: NamespacedName | null;
  readonly effectiveProfileSnapshot: JsonObject | null;
  readonly arguments: JsonObject;
  /** A permutation of the keys of `arguments`. */
  readonly argumentsOrder: readonly string[];
  readonly strategyActor: NamespacedName | null;
  readonly executionActor: NamespacedName | null;
  readonly estimationActor: NamespacedName | null;
  readonly invariantActor: NamespacedName | null;
  readonly changesetId: string | null;
  readonly sandboxRefs: readonly string[];
  readonly validationSummary: JsonObject | null;
  readonly estimate: JsonObject | null;
  readonly decisionRootId: Ulid | null;
  readonly errorMessage: string | null;
  readonly errorDetails: JsonObject | null;
  readonly tags: readonly string[];
  readonly parentPlanId: Ulid | null;
  readonly rootPlanId: Ulid;
  readonly depth: number;
  /** Counts the events of this plan, from 1. */
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly appliedAt: Instant | null;
  readonly cancelledAt: Instant | null;
  readonly cancelReason: string | null;
  readonly archivedAt: Instant | null;
  /** The workflow plan that counts: the one that was frozen last. */
  readonly workflow: WorkflowRevision | null;
  readonly projectLinks: readonly ProjectLink[];
  readonly invariants: readonly Invariant[];
  /** The phases that were entered, in their order. */
  readonly phases: readonly PhaseProgress[];
}
