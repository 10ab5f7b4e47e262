/** The rules between the fields of an item (workflow-plan.md §6), each a small function with a name. */
import type { IssueReport } from "../issues.js";
import type { Rule, Seen } from "../shape.js";
import type { WorkflowPlanItem } from "./item.js";
import type { SaveMetadata } from "./leaves.js";
import { carrierOf, type Operation } from "./operations.js";
import { ruleFor } from "./words.js";

const itemRule = ruleFor<WorkflowPlanItem>();
const LOOP_EXITS = ["loop_break", "loop_continue"] as const;

/** Rule 1: only a command of the runtime can fail in a way that is handled. */
const fixIsForCli = itemRule(["operation", "on_failure"], ({ operation, on_failure }, report) => {
  if (kindIsOpen(operation) || isCli(operation) || on_failure !== "fix") return;
  report.refuse("NOT_ON_CLI", "Must be operator; only a cli action can have fix.", "on_failure");
});

/** Rule 1. */
const failureInstructionIsForCli = itemRule(
  ["operation", "on_failure_instruction"],
  ({ operation, on_failure_instruction }, report) => {
    if (kindIsOpen(operation) || isCli(operation) || on_failure_instruction === null) return;
    report.refuse("NOT_ON_CLI", "Must be null; only a cli action can have one.", "on_failure_instruction");
  },
);

/** Rule 2. */
const loopIsAssigned = itemRule(["loop_id", "loop_assignment"], ({ loop_id, loop_assignment }, report) => {
  if (loop_id !== null && loop_assignment === null) {
    report.refuse(
      "INCOMPLETE_PAIR",
      "Must stand together with loop_assignment, or be null like it.",
      "loop_id",
    );
  } else if (loop_id === null && loop_assignment !== null) {
    report.refuse(
      "INCOMPLETE_PAIR",
      "Must stand together with loop_id, or be null like it.",
      "loop_assignment",
    );
  }
});

/** Rule 3. */
const childIsOfStage = itemRule(["child_number", "child_stage"], ({ child_number, child_stage }, report) => {
  if (child_number !== null && child_stage === null) {
    report.refuse("STAGE_MISSING", "Must be null, or child_stage must say of which stage.", "child_number");
  }
});

/** Rule 4. */
const ordinalsFitAncestors = itemRule(
  ["step_ordinals", "ancestors"],
  ({ step_ordinals, ancestors }, report) => {
    const right = ancestors.length + 1;
    if (step_ordinals.length !== 0 && step_ordinals.length !== right) {
      report.refuse(
        "ORDINALS_LENGTH",
        `Must be empty or have ${right} entries (one for each ancestor and one for the step), not ${step_ordinals.length}.`,
        "step_ordinals",
      );
    }
  },
);

/** Rule 5. */
const ownerFitsOperation = itemRule(["operation", "owner"], ({ operation, owner }, report) => {
  const right = rightCarrier(operation)?.owner;
  if (right !== undefined && owner !== right) {
    report.refuse("WRONG_OWNER", `Must be ${right} for ${kindOf(operation)}, not ${owner}.`, "owner");
  }
});

/** Rule 5. */
const executionFitsOperation = itemRule(["operation", "execution"], ({ operation, execution }, report) => {
  const right = rightCarrier(operation)?.execution;
  if (right !== undefined && execution !== right) {
    report.refuse(
      "WRONG_EXECUTION",
      `Must be ${right} for ${kindOf(operation)}, not ${execution}.`,
      "execution",
    );
  }
});

/** Rule 6. */
const loopBoundaryHasNoExit = LOOP_EXITS.map((exit) =>
  itemRule(["operation", exit], (item, report) => {
    if (item.operation.type !== "loop" || item[exit] === null) return;
    report.refuse("LOOP_EXIT_MISPLACED", "Must be null on a loop boundary.", exit);
  }),
);

/** Rule 6. */
const loopExitIsOnStepOfAgent = LOOP_EXITS.map((exit) =>
  itemRule(["operation", "owner", "phase", exit], (item, report) => {
    if (item.operation.type === "loop" || item[exit] === null) return;
    if (item.owner === "agent" && item.phase === "step") return;
    report.refuse(
      "LOOP_EXIT_MISPLACED",
      "Must be null unless the owner is agent and the phase is step.",
      exit,
    );
  }),
);

/** Rule 7. */
const agentInputIsSaid = itemRule(
  ["requires_agent_input", "execution", "provide"],
  ({ requires_agent_input, execution, provide }, report) => {
    const right = execution === "automatic" && provide.length > 0;
    if (requires_agent_input !== right) {
      const reason = right
        ? "the item is automatic and is provided with values"
        : "only an automatic item that is provided with values needs agent input";
      report.refuse("AGENT_INPUT_MISMATCH", `Must be ${right}, because ${reason}.`, "requires_agent_input");
    }
  },
);

/** Rules 8 and 10. */
const agentOnly = (["rules", "checks", "modes", "update_document"] as const).map((field) =>
  itemRule(["owner", field], (item, report) => {
    if (item.owner !== "agent" && item[field].length > 0) {
      report.refuse("AGENT_ONLY", "Must be empty; only agent-owned items can have entries here.", field);
    }
  }),
);

/** Rule 9. */
const verificationIsByAgent = itemRule(["verifies", "owner"], ({ verifies, owner }, report) => {
  if (verifies !== null && owner !== "agent") {
    report.refuse("AGENT_ONLY", "Must be null; only agent-owned items can verify others.", "verifies");
  }
});

/** Rule 9. */
const verificationStandsAlone = (["rules", "checks", "provide"] as const).map((field) =>
  itemRule(["verifies", field], (item, report) => {
    if (item.verifies !== null && item[field].length > 0) {
      report.refuse("VERIFIES_WITH_OTHERS", `Must be null, or ${field} must be empty.`, "verifies");
    }
  }),
);

/** Rule 10. */
const agentOrCliOnly = (["save_metadata", "update_item"] as const).map((field) =>
  itemRule(["owner", "operation", field], (item, report) => {
    if (item[field].length === 0 || item.owner === "agent") return;
    if (kindIsOpen(item.operation) || isCli(item.operation)) return;
    report.refuse(
      "AGENT_OR_CLI_ONLY",
      "Must be empty; only agent-owned items and cli actions can have entries here.",
      field,
    );
  }),
);

/** Rule 11. */
const metadataNamesDiffer = itemRule(["save_metadata"], ({ save_metadata }, report) => {
  const seen = new Set<string>();
  for (const [index, entry] of save_metadata.entries()) {
    if (entry?.name === undefined) continue;
    if (seen.has(entry.name)) {
      report.refuse(
        "METADATA_NAME_TWICE",
        "Must differ from the names before it, whatever their scope.",
        "save_metadata",
        index,
        "name",
      );
    }
    seen.add(entry.name);
  }
});

/** Rule 11. */
const metadataKeysAreApart = itemRule(["save_metadata"], ({ save_metadata }, report) => {
  for (const scope of ["task", "project"] as const) refuseOverlaps(save_metadata, scope, report);
});

/** Rule 12. */
const collectingNamesItsPass = itemRule(
  ["item_operation", "child_operation", "item_pass"],
  (item, report) => {
    if (!collectsItems(item) || item.item_pass !== null) return;
    report.refuse(
      "PASS_MISSING",
      "Must name the pass, because the item collects its work items.",
      "item_pass",
    );
  },
);

/** Rule 12; one that collects is refused for that alone. */
const templateNamesItsPass = itemRule(
  ["item_operation", "child_operation", "item_template", "child_stage", "item_pass"],
  (item, report) => {
    if (!item.item_template || item.child_stage !== null || item.item_pass !== null) return;
    if (collectsItems(item)) return;
    report.refuse(
      "PASS_MISSING",
      "Must name the pass, because the item is a template outside of a child stage.",
      "item_pass",
    );
  },
);

export const ITEM_RULES: readonly Rule[] = [
  ownerFitsOperation,
  executionFitsOperation,
  agentInputIsSaid,
  ...agentOnly,
  ...agentOrCliOnly,
  metadataNamesDiffer,
  metadataKeysAreApart,
  loopIsAssigned,
  ...loopBoundaryHasNoExit,
  ...loopExitIsOnStepOfAgent,
  childIsOfStage,
  ordinalsFitAncestors,
  collectingNamesItsPass,
  templateNamesItsPass,
  verificationIsByAgent,
  ...verificationStandsAlone,
  fixIsForCli,
  failureInstructionIsForCli,
];

function collectsItems({
  item_operation,
  child_operation,
}: Pick<WorkflowPlanItem, "item_operation" | "child_operation">): boolean {
  return item_operation === "collect" && child_operation === null;
}

type SeenOperation = Seen<Operation>;

/** Whether it cannot be said what the item does, because the identifier of its action is faulty itself. */
function kindIsOpen(operation: SeenOperation): boolean {
  return operation.type === "action" && operation.identifier === undefined;
}

function isCli(operation: SeenOperation): boolean {
  return operation.type === "action" && operation.identifier === "cli";
}

function kindOf(operation: SeenOperation): string {
  return operation.type === "action" ? `the action ${operation.identifier}` : `a ${operation.type} operation`;
}

function rightCarrier(operation: SeenOperation) {
  return operation.type === undefined
    ? null
    : carrierOf(operation.type, "identifier" in operation ? operation.identifier : undefined);
}

/**
 * Refuses keys of one scope that are equal or lie one inside the other. Sorted with the dot before all other
 * characters, the keys inside a key follow it at once: one pass finds them, however long they are.
 */
function refuseOverlaps(
  entries: readonly (Seen<SaveMetadata> | undefined)[],
  scope: SaveMetadata["scope"],
  report: IssueReport,
): void {
  const keys: { readonly index: number; readonly key: string }[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry?.scope === scope && entry.key !== undefined) keys.push({ index, key: entry.key });
  }
  keys.sort((a, b) => dotsFirst(a.key, b.key) || a.index - b.index);
  let outer: (typeof keys)[number] | undefined;
  for (const { index, key } of keys) {
    if (report.isFull) return;
    if (outer?.key === key) {
      const message = `Must differ from the key of entry ${outer.index} in the same scope.`;
      report.refuse("METADATA_KEY_TWICE", message, "save_metadata", index, "key");
    } else if (outer !== undefined && key.startsWith(`${outer.key}.`)) {
      const message = `Must not lie inside the key of entry ${outer.index} in the same scope.`;
      report.refuse("METADATA_KEY_INSIDE", message, "save_metadata", index, "key");
    } else {
      outer = { index, key };
    }
  }
}

function dotsFirst(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return rankAt(a, at) - rankAt(b, at);
}

/** The end of the text comes first, then the dot. */
function rankAt(text: string, at: number): number {
  return text[at] === "." ? 1 : text.charCodeAt(at) || 0;
}
