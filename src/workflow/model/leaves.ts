/** The small objects that hang on a plan and its items (workflow-plan.md §5). */
import type { ObjectOf, ValueOf } from "../shape.js";
import { cliPayload } from "./commands.js";
import { checkSource, documentScope, metadataScope, metadataSource } from "./enumerations.js";
import { documentPath, metadataKey, metadataName, notBlank, plainName } from "./texts.js";
import {
  filled,
  filledWhenNull,
  flag,
  list,
  nullable,
  object,
  positive,
  required,
  ruleFor,
  sparse,
  sparseWhen,
  strictObject,
  text,
} from "./words.js";

export const provide = object(
  "provided value",
  "A value that an item must be given before it is carried out.",
  {
    name: required(text, "The name under which the value is handed to the item."),
    description: filledWhenNull(text, "", "What the value is."),
  },
);

const metadataFields = {
  name: required(metadataName, "The name under which the item hands the value over."),
  key: required(metadataKey, "The key under which the value is kept."),
  description: filledWhenNull(text, "", "What the value is."),
  scope: filled(metadataScope, "task", "Whether the value is kept with the task or the project."),
  source: sparse(nullable(metadataSource), null, "Where the value comes from; null when the agent gives it."),
  append: sparse(flag, false, "Whether the value is added to what is there instead of replacing it."),
};
const notReserved = ruleFor<ObjectOf<typeof metadataFields>>()(["key", "scope"], ({ key, scope }, report) => {
  if (scope === "project" && (key === "ww" || key.startsWith("ww."))) {
    report.refuse(
      "RESERVED_KEY",
      "Must not be ww nor begin with ww. in project scope: those belong to ww.",
      "key",
    );
  }
});
export const saveMetadata = object(
  "saved metadata",
  "A value to keep for later once an item is done.",
  metadataFields,
  notReserved,
);
export type SaveMetadata = ValueOf<typeof saveMetadata>;

export const updateDocument = object(
  "document update",
  "A document to bring up to date while an item is carried out.",
  {
    name: required(plainName, "The document to bring up to date."),
    instruction: filledWhenNull(text, "", "What to write into it."),
  },
);

export const updateItem = object(
  "work item update",
  "A field of the work item to set while an item is carried out.",
  {
    name: required(plainName, "The field of the work item to set."),
    description: filledWhenNull(text, "", "What to set it to."),
  },
);

export const choice = object("choice", "An answer to choose.", {
  label: required(notBlank, "What can be chosen."),
  description: filledWhenNull(text, "", "What choosing it means."),
});

const documentFields = {
  name: required(plainName, "The name of the document."),
  description: filledWhenNull(text, "", "What the document is for."),
  scope: filled(documentScope, "task", "Whom the document belongs to."),
  path: sparse(nullable(documentPath), null, "Where the document lies, when not at its usual place."),
};
const TASK_ID = "{{ww.task.id}}";
const taskOnlyInTaskScope = ruleFor<ObjectOf<typeof documentFields>>()(
  ["scope", "path"],
  ({ scope, path }, report) => {
    if (scope !== "task" && path?.includes(TASK_ID)) {
      report.refuse(
        "PATH_NEEDS_TASK",
        `Must not contain ${TASK_ID} in ${scope} scope; only task documents have a task.`,
        "path",
      );
    }
  },
);
export const document = object(
  "document",
  "A document that the items read and bring up to date.",
  documentFields,
  taskOnlyInTaskScope,
);

export const hints = strictObject("hints", "Which agent to prefer, and how it should be set.", {
  agent: sparse(nullable(text), null, "The agent to prefer."),
  model: sparse(nullable(text), null, "The model to prefer."),
  reasoning: sparse(nullable(text), null, "The reasoning effort to prefer."),
});

const whenHinted = {
  when: ({ hints }: { hints?: Readonly<Record<string, string | null>> | null }) =>
    Object.values(hints ?? {}).some((hint) => hint !== null),
};

export const rule = object("rule", "A rule to keep while an item is carried out.", {
  id: required(text, "Names the rule."),
  summary: required(text, "The rule in a line."),
  text: required(text, "The rule in full."),
  text_hash: required(text, "A hash of the text, to see whether it changed."),
  paths: required(list(text), "The files that the rule is about, as patterns."),
  has_command: required(flag, "Whether a command checks the rule."),
  max_fixes: required(positive, "How often a breach may be fixed before the item fails."),
  hints: sparseWhen(whenHinted, hints, null, "Who should verify the rule."),
  source: sparse(nullable(text), null, "Where the rule is written down."),
});

const checkFields = {
  id: required(text, "Names the check."),
  source: required(checkSource, "Where the check comes from."),
  summary: required(text, "The check in a line."),
  command: required(cliPayload, "What is run."),
  paths: required(list(text), "The files that the check is about, as patterns."),
  max_fixes: required(positive, "How often a failed check may be fixed before the item fails."),
  covers: sparse(list(text), [], "The rules that a derived check covers."),
  on_failure_instruction: sparse(nullable(text), null, "What the agent is told when the check fails."),
};
const coversIfDerived = ruleFor<ObjectOf<typeof checkFields>>()(
  ["source", "covers"],
  ({ source, covers }, report) => {
    if (source === "derived" && covers.length === 0) {
      report.refuse(
        "COVERS_MISMATCH",
        "Must name at least one rule, because the source is derived.",
        "covers",
      );
    } else if (source !== "derived" && covers.length > 0) {
      report.refuse(
        "COVERS_MISMATCH",
        `Must be empty, because the source is ${source}, not derived.`,
        "covers",
      );
    }
  },
);
export const check = object(
  "check",
  "Commands that must pass before an item is done.",
  checkFields,
  coversIfDerived,
);

export const mode = strictObject("mode", "A mode that an agent works in.", {
  name: required(text, "The mode that the item works in."),
  description: required(list(text), "What the mode means, line by line."),
  automatic: required(flag, "Whether the mode was chosen by the runtime, not by a person."),
});

export const verifies = strictObject("verification", "The item whose work another one verifies.", {
  item_id: required(text, "The item whose work is verified."),
  ordinal: required(positive, "Which of that item's verifications it is."),
  hints: sparseWhen(whenHinted, hints, null, "Who should verify."),
});
