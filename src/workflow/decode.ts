/**
 * Reads exact values by the shapes of the model. It goes on past a fault, so that all of them are reported:
 * what could not be read is undefined in the result.
 */
import {
  type ExactContainer,
  type ExactJson,
  type ExactList,
  ExactNumber,
  type ExactObject,
  type ExactScalar,
  isExactContainer,
  isExactList,
  isExactObject,
  nameOfValue,
} from "./exact-json.js";
import type { IssueReport } from "./issues.js";
import {
  type EnumerationShape,
  type Field,
  type IntegerShape,
  type ListShape,
  nameOfShape,
  type ObjectShape,
  type Shape,
  type TextShape,
} from "./shape.js";
import type { Pace, Work } from "./work.js";

/** What reading needs besides the value. */
export interface Reading {
  readonly report: IssueReport;
  readonly pace: Pace;
  /** The plan that is read, from which some defaults come. */
  readonly plan: ExactJson;
}

/** The value of a shape, with undefined for each part that is in the report; undefined if nothing could be read. */
export function* readValue(shape: Shape, value: ExactJson, reading: Reading): Work<unknown> {
  return isExactContainer(value)
    ? yield* readContainer(shape, value, reading, shape)
    : readScalar(shape, value, reading, shape);
}

/** `expected` is what a message says: the shape, or the nullable one around it. */
function* readContainer(
  shape: Shape,
  value: ExactContainer,
  reading: Reading,
  expected: Shape,
): Work<unknown> {
  switch (shape.kind) {
    case "nullable":
      return yield* readContainer(shape.of, value, reading, shape);
    case "variants": {
      const variant = shape.choose(value, reading.report);
      return variant && (yield* readContainer(variant, value, reading, variant));
    }
    case "list":
      if (isExactList(value)) return yield* readList(shape, value, reading);
      break;
    case "object":
      if (isExactObject(value)) return yield* readObject(shape, value, reading);
      break;
    case "text map":
      if (isExactObject(value)) return readTextMap(value, reading);
      break;
    case "any object":
      if (isExactObject(value)) return yield* readAny(value, reading);
      break;
    default:
      break;
  }
  return wrongType(expected, value, reading);
}

function readScalar(shape: Shape, value: ExactScalar, reading: Reading, expected: Shape): unknown {
  switch (shape.kind) {
    case "nullable":
      return value === null ? null : readScalar(shape.of, value, reading, shape);
    case "variants": {
      const variant = shape.choose(value, reading.report);
      return variant && readScalar(variant, value, reading, variant);
    }
    case "text":
      return typeof value === "string"
        ? readText(shape, value, reading)
        : wrongType(expected, value, reading);
    case "enumeration":
      return typeof value === "string"
        ? readEnumeration(shape, value, reading, expected)
        : wrongType(expected, value, reading);
    case "flag":
      return typeof value === "boolean" ? value : wrongType(expected, value, reading);
    case "integer":
      return value instanceof ExactNumber && value.isWhole
        ? readInteger(shape, value, reading)
        : wrongType(expected, value, reading);
    default:
      return wrongType(expected, value, reading);
  }
}

function* readList(shape: ListShape, list: ExactList, reading: Reading): Work<unknown> {
  const { report, pace } = reading;
  if (list.length === 0 && !shape.canBeEmpty) {
    report.refuse("EMPTY_LIST", "Must have at least one entry.");
    return undefined;
  }
  if (list.length > shape.atMost) {
    report.refuse("TOO_MANY_ITEMS", `Must have at most ${shape.atMost} entries, not ${list.length}.`);
    return undefined;
  }
  const read: unknown[] = [];
  for (const [index, entry] of list.entries()) {
    if (report.isFull) return undefined;
    if (pace.isDue()) yield;
    report.enter(index);
    read.push(
      isExactContainer(entry)
        ? yield* readContainer(shape.of, entry, reading, shape.of)
        : readScalar(shape.of, entry, reading, shape.of),
    );
    report.leave();
  }
  return read;
}

function* readObject(shape: ObjectShape, object: ExactObject, reading: Reading): Work<unknown> {
  const { report, pace } = reading;
  const read: Record<string, unknown> = { ...shape.blank };
  for (const { key, field } of shape.entries) {
    if (pace.isDue()) yield;
    const value = object.get(key);
    if (value === undefined || (value === null && nullIsAbsent(field))) {
      read[key] = readAbsent(key, field, object, reading);
      continue;
    }
    report.enter(key);
    read[key] = isExactContainer(value)
      ? yield* readContainer(field.shape, value, reading, field.shape)
      : readScalar(field.shape, value, reading, field.shape);
    report.leave();
  }
  for (const rule of shape.rules) {
    if (rule.fields.every((field) => read[field] !== undefined)) rule.check(read, report);
  }
  if (shape.unknownKeys === "refused") refuseUnknownKeys(shape, object, reading);
  for (const { key, field } of shape.conditional) {
    if (field.absent.is === "default" && !field.written.when(read)) read[key] = field.absent.value;
  }
  return read;
}

function nullIsAbsent({ absent }: Field): boolean {
  return absent.is === "default" && absent.nullToo === true;
}

function readAbsent(key: string, field: Field, object: ExactObject, { report, plan }: Reading): unknown {
  switch (field.absent.is) {
    case "refused":
      report.refuse("MISSING_KEY", `Must be there: ${nameOfShape(field.shape)}.`, key);
      return undefined;
    case "default":
      return field.absent.value;
    case "inherited":
      return field.absent.from(object, plan);
    default:
      return field.absent satisfies never;
  }
}

function refuseUnknownKeys(shape: ObjectShape, object: ExactObject, { report }: Reading): void {
  for (const key of object.keys()) {
    if (Object.hasOwn(shape.fields, key)) continue;
    const known = shape.entries.map(({ key: name }) => name).join(", ");
    report.refuse("UNKNOWN_KEY", `Must not be there; the keys of a ${shape.name} are ${known}.`, key);
  }
}

function readText(shape: TextShape, value: string, { report }: Reading): unknown {
  const failed = shape.tests.find((test) => !test.holds(value));
  if (failed === undefined) return value;
  report.refuse(failed.code, `Must ${failed.right}.`);
  return undefined;
}

function readEnumeration(
  shape: EnumerationShape,
  value: string,
  { report }: Reading,
  expected: Shape,
): unknown {
  if (Object.hasOwn(shape.values, value)) return value;
  report.refuse("UNKNOWN_VALUE", `Must be ${nameOfShape(expected)}, not ${nameOfValue(value)}.`);
  return undefined;
}

function readInteger(shape: IntegerShape, value: ExactNumber, { report }: Reading): unknown {
  if (shape.positive && (value.text.startsWith("-") || value.text === "0")) {
    report.refuse("NOT_POSITIVE", `Must be ${nameOfShape(shape)}, not ${nameOfValue(value)}.`);
    return undefined;
  }
  const number = Number(value.text);
  if (!Number.isSafeInteger(number)) return BigInt(value.text);
  return number === 0 ? 0 : number;
}

function readTextMap(map: ExactObject, { report }: Reading): unknown {
  for (const [key, text] of map) {
    if (typeof text !== "string")
      report.refuse("WRONG_TYPE", `Must be a string, not ${nameOfValue(text)}.`, key);
  }
  return map;
}

/** Anything goes, but for a number that Python reads as infinity (`1e400`), which JSON cannot write. */
function* readAny(value: ExactContainer, reading: Reading): Work<ExactContainer> {
  const { report, pace } = reading;
  for (const [step, inner] of value.entries()) {
    if (report.isFull) break;
    if (pace.isDue()) yield;
    report.enter(step);
    if (isExactContainer(inner)) yield* readAny(inner, reading);
    else if (inner instanceof ExactNumber && !inner.isFinite) {
      report.refuse("NOT_FINITE", `Must fit into a 64-bit fraction; ${nameOfValue(inner)} does not.`);
    }
    report.leave();
  }
  return value;
}

function wrongType(shape: Shape, value: ExactJson, { report }: Reading): undefined {
  report.refuse("WRONG_TYPE", `Must be ${nameOfShape(shape)}, not ${nameOfValue(value)}.`);
  return undefined;
}
