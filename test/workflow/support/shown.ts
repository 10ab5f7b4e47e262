/** What the API must show of a value of the model: which fields to ask for, and what they must answer. */
import { CANONICAL } from "../../../src/workflow/json-form.js";
import { renderValue } from "../../../src/workflow/render.js";
import type { ObjectShape, Shape, VariantsShape } from "../../../src/workflow/shape.js";
import { finish, Pace } from "../../../src/workflow/work.js";

/** The selection of all fields of an object, down to the leaves; nothing for a shape without one. */
export function selectionOf(shape: ObjectShape, without: readonly string[] = []): string {
  return shape.entries
    .filter(({ key }) => !without.includes(key))
    .map(({ key, field }) => `${camelCase(key)}${below(field.shape)}`)
    .join(" ");
}

/** A value as those fields show it. */
export function shownObject(shape: ObjectShape, object: object, without: readonly string[] = []): object {
  const values = new Map<string, unknown>(Object.entries(object));
  return Object.fromEntries(
    shape.entries
      .filter(({ key }) => !without.includes(key))
      .map(({ key, field }) => [camelCase(key), shown(field.shape, values.get(key))]),
  );
}

const COMMANDS =
  "{ __typename ... on WorkflowArgvCommand { argv } ... on WorkflowShellCommand { shell args env { name value } } json }";

function below(shape: Shape): string {
  switch (shape.kind) {
    case "nullable":
    case "list":
      return below(shape.of);
    case "object":
      return ` { ${selectionOf(shape)} }`;
    case "variants":
      return shape.name === "command" ? COMMANDS : "{ empty equals }";
    case "text map":
      return " { name value }";
    default:
      return "";
  }
}

function shown(shape: Shape, value: unknown): unknown {
  if (value === null) return null;
  switch (shape.kind) {
    case "nullable":
      return shown(shape.of, value);
    case "list":
      return (value as readonly unknown[]).map((entry) => shown(shape.of, entry));
    case "object":
      return shownObject(shape, value as object);
    case "enumeration":
      return String(value).toUpperCase();
    case "variants":
      return shape.name === "command" ? shownCommand(shape, value as object) : shownCondition(value);
    case "text map":
      return [...(value as ReadonlyMap<string, string>)].map(([name, value]) => ({ name, value }));
    case "integer":
      return typeof value === "bigint" ? String(value) : value;
    default:
      return value;
  }
}

function shownCommand(shape: VariantsShape, command: object): object {
  const option = shape.shapeOf(command);
  if (option.kind !== "object") throw new Error("A command is an object.");
  const __typename = "argv" in command ? "WorkflowArgvCommand" : "WorkflowShellCommand";
  const json = finish(renderValue(option, command, CANONICAL, new Pace()));
  return { __typename, ...shownObject(option, command), json };
}

function shownCondition(condition: unknown): object {
  return condition === "empty"
    ? { empty: true, equals: null }
    : { empty: false, equals: (condition as { equals: string }).equals };
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
