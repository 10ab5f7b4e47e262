/**
 * What can be wrong with a workflow plan, and the report that collects it. The rules themselves are elsewhere:
 * the shapes in model/, the cross-field rules in rules.ts, what freezing adds in freeze-rules.ts.
 */

/** Every code with what it says; the codes never change their meaning. */
export const WORKFLOW_ISSUE_CODES = {
  TOO_LARGE: "The document, or what its items inherit, is larger than the limit.",
  TOO_DEEP: "Lists and objects are nested deeper than the limit.",
  TOO_MANY_ITEMS: "The plan has more items than the limit.",
  TOO_MANY_KEYS: "An object has more keys than the limit.",
  TOO_MANY_VALUES: "The document has more values than the limit.",
  TOO_MANY_ISSUES: "There are more issues than are reported; it is always the last one.",
  NOT_JSON: "The text is not JSON.",
  NOT_FINITE: "A number is NaN or infinite, or too large for a 64-bit fraction.",
  NUMBER_TOO_LONG: "A whole number has more digits than readers of the format take.",
  MISSING_KEY: "A required key is missing.",
  UNKNOWN_KEY: "An object that takes only certain keys has another one.",
  WRONG_TYPE: "The value has another type than the format says.",
  NOT_POSITIVE: "A whole number that must be above 0 is not.",
  UNKNOWN_VALUE: "The value is none of those that the enumeration lists.",
  BLANK: "The text is empty or white space only.",
  EMPTY_LIST: "The list needs at least one entry.",
  MALFORMED_NAME: "The name or key does not have the required form.",
  MALFORMED_PATH: "The path of a document is absolute or leaves its directory.",
  PATH_NEEDS_TASK: "A path names the task, but the document is not one of a task.",
  RESERVED_KEY: "The metadata key belongs to ww.",
  COVERS_MISMATCH: "A check covers rules if and only if its source is derived.",
  COMMAND_FORM: "A command is neither argv alone nor shell.",
  NOT_ON_CLI: "Handling of a failure is set on an item that is not a cli action.",
  INCOMPLETE_PAIR: "Of two fields that go together only one is set.",
  STAGE_MISSING: "A child number is set without a child stage.",
  ORDINALS_LENGTH: "The step ordinals are not one for each ancestor and one for the step.",
  WRONG_OWNER: "The operation has another owner.",
  WRONG_EXECUTION: "The operation has another execution.",
  LOOP_EXIT_MISPLACED: "A loop break or continue is set where an item cannot leave a loop.",
  AGENT_INPUT_MISMATCH: "Whether an item needs agent input does not agree with what it provides.",
  AGENT_ONLY: "Something is set that only agent-owned items may have.",
  AGENT_OR_CLI_ONLY: "Something is set that only agent-owned items and cli actions may have.",
  VERIFIES_WITH_OTHERS: "A verification has rules, checks or provided values of its own.",
  METADATA_NAME_TWICE: "Two saved metadata entries of an item have the same name.",
  METADATA_KEY_TWICE: "Two saved metadata entries of an item write the same key.",
  METADATA_KEY_INSIDE: "A saved metadata key lies inside another one of the same scope.",
  PASS_MISSING: "The item needs the item pass that it belongs to.",
  DUPLICATE_ID: "An earlier item has the same id.",
  POSITION_GAP: "The positions are not 1, 2, 3 … in the order of the items.",
  UNKNOWN_ITEM: "A reference names no item of the plan.",
  DEPENDENCY_CYCLE: "Items depend on each other in a circle.",
  DERIVED_CHECK: "A derived check is there before its step began.",
  NOT_STORABLE: "The text holds U+0000 or half a surrogate pair, which the database can't hold.",
} as const;
export type WorkflowIssueCode = keyof typeof WORKFLOW_ISSUE_CODES;

/** One fault of a document. */
export interface WorkflowIssue {
  /** Where, such as `$.items[3].checks[0].max_fixes`; keys that are no identifiers stand as `["…"]`. */
  readonly path: string;
  readonly code: WorkflowIssueCode;
  /** What is wrong and what would be right, in a sentence. */
  readonly message: string;
}

/** How many issues one report holds, the one that says so included. */
export const ISSUE_LIMIT = 1_000;
/** How long their paths and messages may be together, in characters: a path can be as long as a document is deep. */
export const ISSUE_TEXT_LIMIT = 512 * 1024;

type Step = string | number;

/** Collects the issues of one document while someone walks it. */
export class IssueReport {
  readonly issues: WorkflowIssue[] = [];
  readonly #trail: Step[] = [];
  #textLeft = ISSUE_TEXT_LIMIT;
  #isFull = false;

  /** Whether nothing more is taken: whoever walks may stop. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Goes into a key or an entry; `leave` goes back. */
  enter(step: Step): void {
    this.#trail.push(step);
  }

  leave(): void {
    this.#trail.pop();
  }

  /** Notes an issue at the place where the walk is, or below it. */
  refuse(code: WorkflowIssueCode, message: string, ...below: readonly Step[]): void {
    if (this.isFull) return;
    const path = pathText([...this.#trail, ...below]);
    this.#textLeft -= path.length + message.length;
    const listed = this.issues.length;
    this.#isFull = listed === ISSUE_LIMIT - 1 || this.#textLeft < 0;
    this.issues.push(
      this.#isFull
        ? { path: "$", code: "TOO_MANY_ISSUES", message: `Only the first ${listed} issues are listed.` }
        : { path, code, message },
    );
  }
}

const KEY_LENGTH_IN_PATH = 200;

function pathText(steps: readonly Step[]): string {
  return `$${steps.map(stepText).join("")}`;
}

function stepText(step: Step): string {
  if (typeof step === "number") return `[${step}]`;
  const key = step.length > KEY_LENGTH_IN_PATH ? `${step.slice(0, KEY_LENGTH_IN_PATH)}…` : step;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
