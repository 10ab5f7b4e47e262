/** The plan as the command line shows it: an ordered dictionary, and its JSON text (domain.md §6). */
import { writeJson } from "../json-writing.js";
import { membersInOrder, objectText, orderedText } from "./json.js";
import type { Invariant, JsonObject, JsonValue, Plan, PlanPhase, ProjectLink } from "./plan.js";
import { lowerAscii } from "./text.js";

/** A member of the dictionary. */
export type CliEntry = readonly [key: string, value: JsonValue];

/** Every member that the plan has, in the fixed order; what is unset or empty is left out. */
export function cliEntries(plan: Plan): readonly CliEntry[] {
  const isChild = plan.parentPlanId !== null;
  return [
    ["plan_id", plan.id],
    ["name", plan.name],
    ["action_name", plan.actionName],
    ["phase", lowerAscii(plan.phase)],
    ["state", lowerAscii(plan.state)],
    ["description", plan.description],
    ...ifSet("definition_of_done", plan.definitionOfDone),
    ["projects", plan.projectLinks.map(project)],
    ...ifSet("automation_profile", plan.automationProfileName),
    ["automation_level", lowerAscii(plan.automationLevel)],
    ...ifSet("strategy_actor", plan.strategyActor),
    ...ifSet("execution_actor", plan.executionActor),
    ...ifSet("estimation_actor", plan.estimationActor),
    ...ifSet("invariant_actor", plan.invariantActor),
    ...ifSet("arguments", Object.fromEntries(membersInOrder(plan.arguments, plan.argumentsOrder))),
    ...ifSet("invariants", plan.invariants.map(invariant)),
    ...ifSet("changeset_id", plan.changesetId),
    ...ifSet("sandbox_refs", plan.sandboxRefs),
    ...ifSet("validation_summary", plan.validationSummary),
    ...ifSet("decision_root_id", plan.decisionRootId),
    ...ifSet("error_message", plan.errorMessage),
    ...ifSet("error_details", plan.errorDetails),
    ...ifSet("tags", plan.tags),
    ["created_at", plan.createdAt],
    ["updated_at", plan.updatedAt],
    ...TIMED_PHASES.flatMap((phase) => phaseTimes(plan, phase)),
    ...ifSet("applied_at", plan.appliedAt),
    ...ifSet("cancelled_at", plan.cancelledAt),
    ...ifSet("parent_plan_id", plan.parentPlanId),
    ...ifSet("root_plan_id", isChild ? plan.rootPlanId : null),
  ];
}

/** The dictionary as an object; JavaScript moves arguments with integer-like names to the front. */
export function cliDict(plan: Plan): JsonObject {
  return Object.fromEntries(cliEntries(plan));
}

/** The dictionary as JSON text, with the arguments in argumentsOrder whatever their names. */
export function cliJson(plan: Plan): string {
  return objectText(
    cliEntries(plan).map(([key, value]) => [
      key,
      key === "arguments" ? orderedText(plan.arguments, plan.argumentsOrder) : writeJson(value),
    ]),
  );
}

/** APPLIED is not worked in; its time is `applied_at`. */
const TIMED_PHASES = ["STRATEGIZE", "EXECUTE", "APPLY"] as const satisfies readonly PlanPhase[];

function project({ projectName, alias, readOnly }: ProjectLink): JsonObject {
  return {
    project_name: projectName,
    ...(alias === null ? {} : { alias }),
    ...(readOnly ? { read_only: true } : {}),
  };
}

function invariant({ text, scope, sourceName }: Invariant): JsonObject {
  return { text, scope: lowerAscii(scope), ...(sourceName === null ? {} : { source_name: sourceName }) };
}

function phaseTimes(plan: Plan, phase: PlanPhase): CliEntry[] {
  const progress = plan.phases.find((entered) => entered.phase === phase);
  const prefix = lowerAscii(phase);
  return [
    ...ifSet(`${prefix}_started_at`, progress?.startedAt ?? null),
    ...ifSet(`${prefix}_completed_at`, progress?.finishedAt ?? null),
  ];
}

function ifSet(key: string, value: string | readonly JsonValue[] | JsonObject | null): CliEntry[] {
  return value === null || value === "" || Object.keys(value).length === 0 ? [] : [[key, value]];
}
