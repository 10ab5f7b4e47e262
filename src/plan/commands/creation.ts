/** A new plan out of the input of createPlan, which has been checked by its schema. */
import { parseUlid } from "../identifiers.js";
import type { CreatePlanInput } from "../inputs.js";
import { defaultPlanName, parseAlias, parseName } from "../names.js";
import type { Instant, NamespacedName, Plan, ProjectLink, Ulid } from "../plan.js";
import { invariantOf } from "./definitions.js";

/** The parent decides root and depth; a plan without one is its own root. */
export function newPlan(
  input: CreatePlanInput,
  parent: Pick<Plan, "id" | "rootPlanId" | "depth"> | null,
  at: Instant,
  newUlid: () => Ulid,
): Plan {
  const id = newUlid();
  const actionName = nameOf(input.actionName);
  const args = input.arguments ?? {};
  return {
    id,
    name: optionalName(input.name) ?? defaultPlanName(actionName, id),
    actionName,
    description: input.description ?? "",
    definitionOfDone: input.definitionOfDone ?? null,
    phase: "STRATEGIZE",
    state: "QUEUED",
    automationLevel: input.automationLevel ?? "MANUAL",
    automationProfileName: optionalName(input.automationProfileName),
    effectiveProfileSnapshot: input.effectiveProfileSnapshot ?? null,
    arguments: args,
    argumentsOrder: input.argumentsOrder ?? Object.keys(args),
    strategyActor: optionalName(input.strategyActor),
    executionActor: optionalName(input.executionActor),
    estimationActor: optionalName(input.estimationActor),
    invariantActor: optionalName(input.invariantActor),
    changesetId: null,
    sandboxRefs: [],
    validationSummary: null,
    estimate: null,
    decisionRootId: null,
    errorMessage: null,
    errorDetails: null,
    tags: [...new Set(input.tags ?? [])],
    parentPlanId: parent?.id ?? null,
    rootPlanId: parent?.rootPlanId ?? id,
    depth: parent === null ? 0 : parent.depth + 1,
    version: 1,
    createdAt: at,
    updatedAt: at,
    appliedAt: null,
    cancelledAt: null,
    cancelReason: null,
    archivedAt: null,
    workflow: null,
    projectLinks: input.projectLinks.map(linkOf),
    invariants: (input.invariants ?? []).map((invariant) => invariantOf(invariant, newUlid)),
    phases: [{ phase: "STRATEGIZE", queuedAt: at, startedAt: null, finishedAt: null, attempts: 0 }],
  };
}

/** The parent that an input names. */
export function parentIdOf({ parentPlanId }: CreatePlanInput): Ulid | null {
  return parentPlanId == null ? null : parseUlid(parentPlanId);
}

function linkOf({ projectName, alias, readOnly }: CreatePlanInput["projectLinks"][number]): ProjectLink {
  return {
    projectName: nameOf(projectName),
    alias: alias == null ? null : parseAlias(alias),
    readOnly: readOnly ?? false,
  };
}

function optionalName(text: string | null | undefined): NamespacedName | null {
  return text == null ? null : nameOf(text);
}

function nameOf(text: string): NamespacedName {
  const name = parseName(text);
  if (name === null) throw new Error("A name came past the schema of its input.");
  return name;
}
