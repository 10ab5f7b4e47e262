/** The tables of the documentation that follow from the code. */
import { WORKFLOW_ISSUE_CODES } from "../../../src/workflow/issues.js";
import * as enumerations from "../../../src/workflow/model/enumerations.js";
import * as leaves from "../../../src/workflow/model/leaves.js";
import type { Field, ObjectShape, Shape } from "../../../src/workflow/shape.js";

/** A row for each field of an object: key, type, what absence means, meaning. */
export function fieldRows(shape: ObjectShape): string {
  return shape.entries
    .map(({ key, field }) => `| \`${key}\` | ${typeOf(field.shape)} | ${absenceOf(field)} | ${field.means} |`)
    .join("\n");
}

/** A row for each key of the small objects. */
export function leafRows(): string {
  return Object.values(leaves)
    .map((shape) => fieldRows(shape).replaceAll(/^/gm, `| ${shape.name} `))
    .join("\n");
}

/** A row for each value of the enumerations. */
export function enumerationRows(): string {
  return Object.values(enumerations)
    .flatMap(({ name, values }) =>
      Object.entries(values).map(([value, means]) => `| ${name} | \`${value}\` | ${means} |`),
    )
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
