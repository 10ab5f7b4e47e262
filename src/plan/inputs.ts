/**
 * What the inputs of the commands must be (domain.md §3): every rule that needs nothing but the input itself,
 * and all faults at once. The schemas change nothing; the commands bring
 * what passed into the form that is stored.
 */
import { z } from "zod";
import { freezableDocument } from "./freezable-document.js";
import {
  ALSO_IF_FIELDS_FAIL,
  addIssue,
  isRecord,
  jsonObject,
  list,
  longText,
  name,
  readBy,
  text,
  ulid,
  visibleText,
} from "./input-fields.js";
import { JSON_ISSUES_LIMIT } from "./json.js";
import type { PlanCommandName } from "./lifecycle.js";
import { parseAlias, parseName } from "./names.js";
import { AUTOMATION_LEVELS, INVARIANT_SCOPES, PLAN_PHASES } from "./plan.js";
import {
  CHANGESET_ID_LIMIT,
  DIGEST_LENGTH_LIMIT,
  IDEMPOTENCY_KEY_LIMIT,
  INVARIANT_TEXT_LIMIT,
  LONG_TEXT_LIMIT,
  SANDBOX_REF_LIMIT,
  SOURCE_NAME_LIMIT,
  TAG_LENGTH_LIMIT,
} from "./text.js";

/** How many of each a plan has at most. */
const PROJECT_LINKS_LIMIT = 100;
export const INVARIANTS_LIMIT = 500;
export const SANDBOX_REFS_LIMIT = 1_000;
const TAGS_LIMIT = 64;

const command = {
  idempotencyKey: visibleText(IDEMPOTENCY_KEY_LIMIT).nullish(),
  dryRun: z.boolean().nullish(),
};

const commandOnPlan = {
  planId: ulid,
  expectedVersion: z.int("Must be a whole number.").min(1, "Must be at least 1.").nullish(),
  ...command,
};

const artifacts = {
  changesetId: visibleText(CHANGESET_ID_LIMIT).nullish(),
  sandboxRefs: list(visibleText(SANDBOX_REF_LIMIT), { max: SANDBOX_REFS_LIMIT }).nullish(),
  validationSummary: jsonObject.nullish(),
  estimate: jsonObject.nullish(),
  decisionRootId: ulid.nullish(),
};

const tags = list(visibleText(TAG_LENGTH_LIMIT), { max: TAGS_LIMIT, repeats: "count once" });

const projectLink = z.object({
  projectName: name,
  alias: readBy(parseAlias, "Must be an alias such as `web-1`.").nullish(),
  readOnly: z.boolean().nullish(),
});

const invariant = z
  .object({
    text: visibleText(INVARIANT_TEXT_LIMIT),
    /** PLAN if not given. */
    scope: z.enum(INVARIANT_SCOPES).nullish(),
    sourceName: visibleText(SOURCE_NAME_LIMIT).nullish(),
    nonOverridable: z.boolean().nullish(),
  })
  .superRefine(({ scope, nonOverridable }, context) => {
    if (nonOverridable === true && scope !== "GLOBAL") {
      addIssue(context, "NOT_ALLOWED", "Only a GLOBAL invariant can be nonOverridable.", ["nonOverridable"]);
    }
  }, ALSO_IF_FIELDS_FAIL);

/** The schema of createPlan; that the parent exists is for the command to find out. */
export const createPlanSchema = z
  .object({
    name: name.nullish(),
    actionName: name,
    description: longText.nullish(),
    definitionOfDone: longText.nullish(),
    projectLinks: list(projectLink, { min: 1, max: PROJECT_LINKS_LIMIT }).superRefine(refuseTwinLinks),
    automationLevel: z.enum(AUTOMATION_LEVELS).nullish(),
    automationProfileName: name.nullish(),
    effectiveProfileSnapshot: jsonObject.nullish(),
    invariants: list(invariant, { max: INVARIANTS_LIMIT }).nullish(),
    arguments: jsonObject.nullish(),
    argumentsOrder: z.array(z.string("Must be a text."), "Must be a list.").nullish(),
    strategyActor: name.nullish(),
    executionActor: name.nullish(),
    estimationActor: name.nullish(),
    invariantActor: name.nullish(),
    tags: tags.nullish(),
    parentPlanId: ulid.nullish(),
    ...command,
  })
  .superRefine(refuseIncompleteOrder, ALSO_IF_FIELDS_FAIL);

/** The schemas of the commands on an existing plan. */
export const commandSchemas = {
  ADVANCE_PLAN: z.object({
    ...commandOnPlan,
    to: z.enum(PLAN_PHASES),
    workflowDigest: text(DIGEST_LENGTH_LIMIT).nullish(),
    note: longText.nullish(),
  }),
  START_PHASE: z.object(commandOnPlan),
  COMPLETE_PHASE: z.object({ ...commandOnPlan, ...artifacts, note: longText.nullish() }),
  FAIL_PHASE: z.object({
    ...commandOnPlan,
    message: visibleText(LONG_TEXT_LIMIT),
    details: jsonObject.nullish(),
  }),
  RETRY_PHASE: z.object(commandOnPlan),
  CANCEL_PLAN: z.object({ ...commandOnPlan, reason: longText.nullish() }),
  ADD_INVARIANT: z.object({ ...commandOnPlan, invariant }),
  RECORD_ARTIFACTS: z
    .object({ ...commandOnPlan, ...artifacts })
    .superRefine(refuseNoArtifacts, ALSO_IF_FIELDS_FAIL),
  FREEZE_WORKFLOW_PLAN: z.object({ ...commandOnPlan, document: freezableDocument }),
  SET_TAGS: z.object({ ...commandOnPlan, tags }),
  ARCHIVE_PLAN: z.object(commandOnPlan),
  UNARCHIVE_PLAN: z.object(commandOnPlan),
} satisfies Record<PlanCommandName, z.ZodType>;

export type CreatePlanInput = z.infer<typeof createPlanSchema>;

/** The input of each command on an existing plan. */
export type InputOf = { readonly [Name in PlanCommandName]: z.infer<(typeof commandSchemas)[Name]> };

/** No two links with one alias, and none with one project unless each has an alias to be told apart by. */
function refuseTwinLinks(links: unknown, context: z.RefinementCtx<unknown>): void {
  if (!Array.isArray(links)) return;
  const read = links.slice(0, PROJECT_LINKS_LIMIT).map((link: unknown) => {
    const { projectName, alias } = isRecord(link) ? link : {};
    return {
      project: typeof projectName === "string" ? parseName(projectName) : null,
      alias: typeof alias === "string" ? parseAlias(alias) : null,
      hasAlias: alias != null,
    };
  });
  for (const [index, { project, alias, hasAlias }] of read.entries()) {
    const before = read.slice(0, index);
    const sameAlias = before.findIndex((other) => alias !== null && other.alias === alias);
    if (sameAlias >= 0) {
      const both = `projectLinks[${sameAlias}] and projectLinks[${index}]`;
      addIssue(context, "DUPLICATE", `${both} have the same alias.`, [index, "alias"]);
    }
    const sameProject = before.findIndex(
      (other) => project !== null && other.project === project && !(hasAlias && other.hasAlias),
    );
    if (sameProject >= 0) {
      const both = `projectLinks[${sameProject}] and projectLinks[${index}]`;
      const message = `${both} name the same project, so both need an alias.`;
      addIssue(context, "DUPLICATE", message, [index, "projectName"]);
    }
  }
}

/** The order, where it is given, names each argument once and nothing else. */
function refuseIncompleteOrder(
  input: { arguments?: unknown; argumentsOrder?: unknown },
  context: z.RefinementCtx<unknown>,
): void {
  const given = input.arguments ?? {};
  const order = input.argumentsOrder;
  if (!isRecord(given) || !Array.isArray(order)) return;
  const missing = new Set(Object.keys(given));
  const placeOf = new Map<unknown, number>();
  let issues = 0;
  for (const [index, key] of order.entries()) {
    if (issues === JSON_ISSUES_LIMIT) return;
    const earlier = placeOf.get(key);
    if (earlier === undefined && missing.delete(key)) {
      placeOf.set(key, index);
      continue;
    }
    issues += 1;
    if (earlier === undefined) {
      addIssue(context, "NOT_ALLOWED", "Is no name of an argument.", ["argumentsOrder", index]);
    } else {
      const message = `argumentsOrder[${earlier}] and argumentsOrder[${index}] are the same name.`;
      addIssue(context, "DUPLICATE", message, ["argumentsOrder", index]);
    }
  }
  if (missing.size > 0) {
    addIssue(context, "TOO_FEW", `Must name every argument; ${missing.size} missing.`, ["argumentsOrder"]);
  }
}

/** An empty list or object is given, null is not. */
function refuseNoArtifacts(
  input: { [Artifact in keyof typeof artifacts]?: unknown },
  context: z.RefinementCtx<unknown>,
): void {
  const { changesetId, sandboxRefs, validationSummary, estimate, decisionRootId } = input;
  const given = [changesetId, sandboxRefs, validationSummary, estimate, decisionRootId];
  if (given.every((artifact) => artifact == null)) {
    addIssue(context, "TOO_FEW", "Must give at least one artifact.");
  }
}
