/** Writes read values by the shapes of the model: which keys there are, in which order (workflow-plan.md §3, §8). */
import type { ExactJson } from "./exact-json.js";
import { JoinedText } from "./joined-text.js";
import { exactText, isLong, type JsonForm, longText } from "./json-form.js";
import type { Field, ListShape, ObjectShape, Shape } from "./shape.js";
import type { Pace, Work } from "./work.js";

/** The JSON text of a value that was read by the shape. */
export function* renderValue(shape: Shape, value: unknown, form: JsonForm, pace: Pace): Work<string> {
  const simple = simpleText(value, form);
  if (simple !== undefined) return simple;
  if (typeof value === "string") return yield* longText(value, form);
  switch (shape.kind) {
    case "nullable":
      return yield* renderValue(shape.of, value, form, pace);
    case "variants":
      return yield* renderValue(shape.shapeOf(value), value, form, pace);
    case "list":
      return yield* renderList(shape, value as readonly unknown[], form, pace);
    case "object":
      return yield* renderObject(shape, value as Readonly<Record<string, unknown>>, form, pace);
    default:
      return yield* exactText(value as ExactJson, form, pace);
  }
}

function* renderList(shape: ListShape, list: readonly unknown[], form: JsonForm, pace: Pace): Work<string> {
  const entries = new JoinedText();
  for (const entry of list) {
    if (pace.isDue()) yield;
    entries.add(simpleText(entry, form) ?? (yield* renderValue(shape.of, entry, form, pace)));
  }
  return `[${entries.end()}]`;
}

function* renderObject(
  shape: ObjectShape,
  object: Readonly<Record<string, unknown>>,
  form: JsonForm,
  pace: Pace,
): Work<string> {
  // Joined at once: text added bit by bit stays a tree of bits, which costs more than it holds.
  const members: string[] = [];
  for (const { key, label, field } of form.sorted ? shape.sorted : shape.entries) {
    if (!isWritten(field, key, object)) continue;
    if (pace.isDue()) yield;
    const value = object[key];
    const text = simpleText(value, form) ?? (yield* renderValue(field.shape, value, form, pace));
    members.push(label, text);
  }
  return `{${members.join("").slice(1)}}`;
}

function isWritten(field: Field, key: string, object: Readonly<Record<string, unknown>>): boolean {
  if (field.written === "always") return true;
  if (field.written !== "unless default") return field.written.when(object);
  const value = object[key];
  return Array.isArray(value)
    ? value.length > 0
    : field.absent.is !== "default" || value !== field.absent.value;
}

/** The text of what looks the same whatever its shape; undefined for the rest. */
function simpleText(value: unknown, form: JsonForm): string | undefined {
  if (typeof value === "string") return isLong(value) ? undefined : form.string(value);
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) && value.length === 0 ? "[]" : undefined;
}
