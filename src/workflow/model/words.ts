/** The words in which the model is written: each makes a shape, a field or a rule. */
import type { ExactJson, ExactObject } from "../exact-json.js";
import type { IssueReport } from "../issues.js";
import type {
  AnyObjectShape,
  ConditionalEntry,
  EnumerationShape,
  Field,
  FieldEntry,
  Fields,
  FlagShape,
  IntegerShape,
  ListShape,
  NullableShape,
  ObjectShape,
  Rule,
  Seen,
  Shape,
  TextMapShape,
  TextShape,
  TextTest,
  WrittenWhen,
} from "../shape.js";

/** A rule for objects of type `T`; it sees the fields that it names and no others. */
export function ruleFor<T>() {
  return <K extends keyof T & string>(
    fields: readonly K[],
    check: (object: { readonly [P in K]: Seen<T[P]> }, report: IssueReport) => void,
  ): Rule => ({
    fields,
    check: (object, report) => check(object as { readonly [P in K]: Seen<T[P]> }, report),
  });
}

export const flag: FlagShape = { kind: "flag" };
export const integer: IntegerShape = { kind: "integer", positive: false };
export const positive: IntegerShape = { kind: "integer", positive: true };
export const textMap: TextMapShape = { kind: "text map" };
export const anyObject: AnyObjectShape = { kind: "any object" };
export const text: TextShape = { kind: "text", tests: [] };

export function textThat(...tests: readonly TextTest[]): TextShape {
  return { kind: "text", tests };
}

export function enumeration<const V extends string>(
  name: string,
  means: string,
  values: Readonly<Record<V, string>>,
): EnumerationShape<V> {
  return { kind: "enumeration", name, means, values };
}

export function nullable<S extends Shape>(of: S): NullableShape<S> {
  return { kind: "nullable", of };
}

export function list<S extends Shape>(of: S, atMost = Number.POSITIVE_INFINITY): ListShape<S> {
  return { kind: "list", of, canBeEmpty: true, atMost };
}

export function nonEmptyList<S extends Shape>(of: S): ListShape<S> {
  return { ...list(of), canBeEmpty: false };
}

/** An object whose other keys are dropped. */
export function object<F extends Fields>(
  name: string,
  means: string,
  fields: F,
  ...rules: readonly Rule[]
): ObjectShape<F> {
  const entries = Object.entries(fields).map(([key, field]) => ({ key, label: `,"${key}":`, field }));
  const sorted = entries.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const conditional = entries.filter(isConditional);
  const blank = Object.fromEntries(entries.map(({ key }) => [key, undefined]));
  const kept = { entries, sorted, conditional, blank };
  return { kind: "object", name, means, fields, ...kept, unknownKeys: "dropped", rules };
}

/** An object that takes no other keys. */
export function strictObject<F extends Fields>(name: string, means: string, fields: F): ObjectShape<F> {
  return { ...object(name, means, fields), unknownKeys: "refused" };
}

/** A key that must be there. */
export function required<S extends Shape>(shape: S, means: string): Field<S, never> {
  return { shape, means, absent: { is: "refused" }, written: "always" };
}

/** A key that may be absent and is written all the same. */
export function filled<S extends Shape, const D>(shape: S, value: D, means: string): Field<S, D> {
  return { shape, means, absent: { is: "default", value }, written: "always" };
}

/** Like `filled`; null counts as absent. */
export function filledWhenNull<S extends Shape, const D>(shape: S, value: D, means: string): Field<S, D> {
  return { shape, means, absent: { is: "default", value, nullToo: true }, written: "always" };
}

/** A key that is left out at its default. */
export function sparse<S extends Shape, const D>(shape: S, value: D, means: string): Field<S, D> {
  return { shape, means, absent: { is: "default", value }, written: "unless default" };
}

/** A key that is written or not by the look of the whole object. */
export function sparseWhen<S extends Shape, const D>(
  written: WrittenWhen,
  shape: S,
  value: D,
  means: string,
): Field<S, D> {
  return { shape, means, absent: { is: "default", value }, written };
}

/** A key whose absence is filled from elsewhere, and written. */
export function inherited<S extends Shape, D>(
  from: (object: ExactObject, plan: ExactJson) => D,
  shape: S,
  means: string,
): Field<S, D> {
  return { shape, means, absent: { is: "inherited", from }, written: "always" };
}

function isConditional(entry: FieldEntry): entry is ConditionalEntry {
  return typeof entry.field.written === "object";
}
