/** The canonical form of a read value (workflow-plan.md §3): which keys it has, and in which order. */
import { type ExactJson, ExactNumber } from "./exact-json.js";
import type { Field, ObjectShape, Shape } from "./shape.js";

/** The value of a shape as exact JSON; the value must have been read by that shape. */
export function encodeValue(shape: Shape, value: unknown): ExactJson {
  switch (shape.kind) {
    case "integer":
      return new ExactNumber(String(value));
    case "nullable":
      return value === null ? null : encodeValue(shape.of, value);
    case "list":
      return (value as readonly unknown[]).map((entry) => encodeValue(shape.of, entry));
    case "object":
      return encodeObject(shape, value as Readonly<Record<string, unknown>>);
    case "variants":
      return encodeValue(shape.shapeOf(value), value);
    case "text":
    case "enumeration":
    case "flag":
    case "text map":
    case "any object":
      return value as ExactJson;
    default:
      return shape satisfies never;
  }
}

/** Whether the canonical form of an object has the key. */
export function isWritten(field: Field, key: string, object: Readonly<Record<string, unknown>>): boolean {
  if (field.written === "always") return true;
  if (field.written !== "unless default") return field.written.when(object);
  const value = object[key];
  return Array.isArray(value)
    ? value.length > 0
    : field.absent.is !== "default" || value !== field.absent.value;
}

function encodeObject(shape: ObjectShape, value: Readonly<Record<string, unknown>>): ExactJson {
  const encoded = new Map<string, ExactJson>();
  for (const [key, field] of Object.entries(shape.fields)) {
    if (isWritten(field, key, value)) encoded.set(key, encodeValue(field.shape, value[key]));
  }
  return encoded;
}
