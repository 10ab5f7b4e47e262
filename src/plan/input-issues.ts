/** Turns what zod found into the issues that a client reads: our codes, and paths relative to the input. */
import type { z } from "zod";
import { WORKFLOW_ISSUE_CODES, type WorkflowIssueCode } from "../workflow/issues.js";
import { type InputIssue, ISSUE_CODES } from "./refusals.js";

/** Every issue of the error. A leading `input`, the name of the GraphQL argument, is left out of the paths. */
export function toInputIssues(error: z.ZodError): InputIssue[] {
  return error.issues.map((issue) => ({
    path: pathText(issue.path[0] === "input" ? issue.path.slice(1) : issue.path) + pathInside(issue),
    code: codeOf(issue),
    message: issue.message,
  }));
}

/** `projectLinks[1].alias`, `arguments["a b"]`; empty for the input as a whole. */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((before, key) => {
    if (typeof key === "number") return `${before}[${key}]`;
    const member = cut(String(key));
    if (!IDENTIFIER.test(member)) return `${before}[${JSON.stringify(member)}]`;
    return before === "" ? member : `${before}.${member}`;
  }, "");
}

/** Where in a document that has paths of its own. */
function pathInside(issue: z.core.$ZodIssue): string {
  const inside: unknown = issue.code === "custom" ? issue.params?.inside : undefined;
  return typeof inside === "string" ? inside : "";
}

function codeOf(issue: z.core.$ZodIssue): InputIssue["code"] {
  switch (issue.code) {
    case "custom":
      return CODES.find((code) => code === issue.params?.code) ?? "MALFORMED";
    case "invalid_type":
      return "WRONG_TYPE";
    case "too_big":
    case "too_small":
    case "not_multiple_of":
      return "OUT_OF_RANGE";
    case "invalid_value":
    case "unrecognized_keys":
      return "NOT_ALLOWED";
    case "invalid_format":
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
      return "MALFORMED";
    default:
      return issue satisfies never;
  }
}

const CODES = [...ISSUE_CODES, ...(Object.keys(WORKFLOW_ISSUE_CODES) as WorkflowIssueCode[])];

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Clients choose the keys of JSON, and every issue repeats them: long ones are shown cut. */
function cut(key: string): string {
  return key.length <= 100 ? key : `${key.slice(0, 100)}…`;
}
