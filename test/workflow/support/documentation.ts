/** The tables of the documentation that follow from the code. */
import { WORKFLOW_ISSUE_CODES } from "../../../src/workflow/issues.js";
import type { Field, ObjectShape, Shape } from "../../../src/workflow/shape.js";

/** A row for each field of an object: key, type, what absence means, meaning. */
export function fieldRows(shape: ObjectShape): string {
  return shape.entries
    .map(([key, field]) => `| \`${key}\` | ${typeOf(field.shape)} | ${absenceOf(field)} | ${field.means} |`)
    .join("\n");
}

/** A row for each issue code. */
export function codeRows(): string {
  return Object.entries(WORKFLOW_ISSUE_CODES)
    .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
    .join("\n");
}

function typeOf(shape: Shape): string {
  switch (shape.kind) {
    case "nullable":
      return `${typeOf(shape.of)} or null`;
    case "list":
      return shape.of.kind === "text" || shape.of.kind === "integer"
        ? `list of ${typeOf(shape.of)}s`
        : `list of ${typeOf(shape.of)}`;
    case "text":
      return "string";
    case "flag":
      return "boolean";
    case "integer":
      return shape.positive ? "positive integer" : "integer";
    case "text map":
    case "any object":
      return "object";
    default:
      return shape.name;
  }
}

function absenceOf({ absent, written }: Field): string {
  if (absent.is === "refused") return "required";
  if (absent.is === "inherited") return "inherited";
  const value = `\`${JSON.stringify(absent.value)}\``;
  return written === "always" ? value : `${value}, left out`;
}
