/**
 * Reads exact values by the shapes of the model. It goes on past a fault, so that all of them are reported:
 * what could not be read is undefined in the result, and the result counts only when there are no issues.
 */
import {
  type ExactJson,
  ExactNumber,
  type ExactObject,
  isExactList,
  isExactObject,
  nameOfValue,
} from "./exact-json.js";
import type { IssueReport } from "./issues.js";
import type {
  EnumerationShape,
  Field,
  IntegerShape,
  ListShape,
  ObjectShape,
  Shape,
  TextShape,
} from "./shape.js";

/** What reading needs besides the value. */
export interface Reading {
  readonly report: IssueReport;
  /** The plan's agent, which items without one of their own inherit. */
  planAgent: string;
}

/** The value of a shape, with undefined for each part that is in the report; undefined if nothing could be read. */
export function readValue(shape: Shape, value: ExactJson, reading: Reading): unknown {
  return read(shape, value, reading, shape);
}

/** Reads one field of an object by its key. */
export function readField(key: string, field: Field, object: ExactObject, reading: Reading): unknown {
  const value = object.get(key);
  if (value === undefined || (value === null && field.absent.is === "default" && field.absent.nullToo)) {
    return readAbsent(key, field, object, reading);
  }
  reading.report.enter(key);
  const read = readValue(field.shape, value, reading);
  reading.report.leave();
  return read;
}

/**
 * What follows once all fields of an object are read: its rules, its unknown keys, and that a field which the
 * canonical form leaves out counts as absent.
 */
export function settleObject(
  shape: ObjectShape,
  read: Record<string, unknown>,
  object: ExactObject,
  reading: Reading,
): void {
  for (const rule of shape.rules) {
    if (rule.fields.every((field) => read[field] !== undefined)) rule.check(read, reading.report);
  }
  if (shape.unknownKeys === "refused") refuseUnknownKeys(shape, object, reading);
  for (const [key, field] of Object.entries(shape.fields)) {
    if (field.absent.is === "default" && typeof field.written === "object" && !field.written.when(read)) {
      read[key] = field.absent.value;
    }
  }
}

/** What a value of the shape is called after "Must be". */
export function nameOfShape(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return "a string";
    case "enumeration": {
      const values = Object.keys(shape.values);
      return values.length === 1 ? `${values[0]}` : `one of ${values.join(", ")}`;
    }
    case "flag":
      return "true or false";
    case "integer":
      return shape.positive ? "a whole number above 0" : "a whole number";
    case "nullable":
      return `${nameOfShape(shape.of)} or null`;
    case "list":
      return shape.of.kind === "text" ? "a list of strings" : "a list";
    case "text map":
      return "an object whose values are strings";
    case "object":
    case "any object":
    case "variants":
      return "an object";
    default:
      return shape satisfies never;
  }
}

/** `expected` is what a message says: the shape, or the nullable one around it. */
function read(shape: Shape, value: ExactJson, reading: Reading, expected: Shape): unknown {
  switch (shape.kind) {
    case "text":
      return readText(shape, value, reading, expected);
    case "enumeration":
      return readEnumeration(shape, value, reading, expected);
    case "flag":
      return typeof value === "boolean" ? value : wrongType(expected, value, reading);
    case "integer":
      return readInteger(shape, value, reading, expected);
    case "nullable":
      return value === null ? null : read(shape.of, value, reading, shape);
    case "list":
      return readList(shape, value, reading, expected);
    case "object":
      return isExactObject(value) ? readObject(shape, value, reading) : wrongType(expected, value, reading);
    case "variants": {
      const variant = shape.choose(value, reading.report);
      return variant && readValue(variant, value, reading);
    }
    case "text map":
      return readTextMap(value, reading, expected);
    case "any object":
      return readAnyObject(value, reading, expected);
    default:
      return shape satisfies never;
  }
}

function readObject(shape: ObjectShape, object: ExactObject, reading: Reading): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(shape.fields)) read[key] = readField(key, field, object, reading);
  settleObject(shape, read, object, reading);
  return read;
}

function readAbsent(key: string, field: Field, object: ExactObject, { report, planAgent }: Reading): unknown {
  switch (field.absent.is) {
    case "refused":
      report.refuse("MISSING_KEY", `Must be there: ${nameOfShape(field.shape)}.`, key);
      return undefined;
    case "default":
      return field.absent.value;
    case "inherited":
      return field.absent.from(object, planAgent);
    default:
      return field.absent satisfies never;
  }
}

function refuseUnknownKeys(shape: ObjectShape, object: ExactObject, { report }: Reading): void {
  for (const key of object.keys()) {
    if (report.isFull) return;
    if (!Object.hasOwn(shape.fields, key)) {
      const known = Object.keys(shape.fields).join(", ");
      report.refuse("UNKNOWN_KEY", `Must not be there; ${shape.name} takes only ${known}.`, key);
    }
  }
}

function readText(shape: TextShape, value: ExactJson, reading: Reading, expected: Shape): unknown {
  if (typeof value !== "string") return wrongType(expected, value, reading);
  const failed = shape.tests.find((test) => !test.holds(value));
  if (failed === undefined) return value;
  reading.report.refuse(failed.code, `Must ${failed.right}.`);
  return undefined;
}

function readEnumeration(
  shape: EnumerationShape,
  value: ExactJson,
  reading: Reading,
  expected: Shape,
): unknown {
  if (typeof value !== "string") return wrongType(expected, value, reading);
  if (Object.hasOwn(shape.values, value)) return value;
  reading.report.refuse("UNKNOWN_VALUE", `Must be ${nameOfShape(expected)}, not ${nameOfValue(value)}.`);
  return undefined;
}

function readInteger(shape: IntegerShape, value: ExactJson, reading: Reading, expected: Shape): unknown {
  if (!(value instanceof ExactNumber) || !value.isWhole) return wrongType(expected, value, reading);
  if (shape.positive && (value.text.startsWith("-") || value.text === "0")) {
    reading.report.refuse("NOT_POSITIVE", `Must be ${nameOfShape(expected)}, not ${nameOfValue(value)}.`);
    return undefined;
  }
  const number = Number(value.text);
  if (!Number.isSafeInteger(number)) return BigInt(value.text);
  return number === 0 ? 0 : number;
}

function readList(shape: ListShape, value: ExactJson, reading: Reading, expected: Shape): unknown {
  if (!isExactList(value)) return wrongType(expected, value, reading);
  if (value.length === 0 && !shape.canBeEmpty) {
    reading.report.refuse("EMPTY_LIST", "Must have at least one entry.");
    return undefined;
  }
  const { report } = reading;
  const read: unknown[] = [];
  for (const [index, entry] of value.entries()) {
    report.enter(index);
    read.push(readValue(shape.of, entry, reading));
    report.leave();
    if (report.isFull) return undefined;
  }
  return read;
}

function readTextMap(value: ExactJson, reading: Reading, expected: Shape): unknown {
  if (!isExactObject(value)) return wrongType(expected, value, reading);
  for (const [key, text] of value) {
    if (typeof text !== "string")
      reading.report.refuse("WRONG_TYPE", `Must be a string, not ${nameOfValue(text)}.`, key);
  }
  return value;
}

function readAnyObject(value: ExactJson, reading: Reading, expected: Shape): unknown {
  if (!isExactObject(value)) return wrongType(expected, value, reading);
  refuseInfinite(value, reading.report);
  return value;
}

/** Python reads `1e400` as infinity, which JSON cannot write. */
function refuseInfinite(value: ExactJson, report: IssueReport): void {
  if (value instanceof ExactNumber) {
    if (!value.isWhole && !Number.isFinite(Number(value.text))) {
      report.refuse("NOT_FINITE", `Must fit into a 64-bit fraction; ${nameOfValue(value)} does not.`);
    }
  } else if (isExactObject(value) || isExactList(value)) {
    for (const [step, inner] of value.entries()) {
      report.enter(step);
      refuseInfinite(inner, report);
      report.leave();
    }
  }
}

function wrongType(shape: Shape, value: ExactJson, { report }: Reading): undefined {
  report.refuse("WRONG_TYPE", `Must be ${nameOfShape(shape)}, not ${nameOfValue(value)}.`);
  return undefined;
}
