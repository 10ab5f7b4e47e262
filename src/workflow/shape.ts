/**
 * The words in which the model is written: shapes of values, the fields of objects, and the rules between
 * fields. A shape is data; what follows from it (reading, canonical form, API types) is made elsewhere.
 */
import type { ExactJson, ExactObject } from "./exact-json.js";
import type { IssueReport, WorkflowIssueCode } from "./issues.js";

export type Shape =
  | TextShape
  | EnumerationShape
  | FlagShape
  | IntegerShape
  | NullableShape
  | ListShape
  | ObjectShape
  | VariantsShape
  | TextMapShape
  | AnyObjectShape;

/** A string, with the tests that it must pass. */
export interface TextShape {
  readonly kind: "text";
  readonly tests: readonly TextTest[];
}

export interface TextTest {
  readonly code: WorkflowIssueCode;
  /** What would be right, after "Must ". */
  readonly right: string;
  holds(text: string): boolean;
}

/** One of a few strings, each with what it means. */
export interface EnumerationShape<V extends string = string> {
  readonly kind: "enumeration";
  readonly name: string;
  readonly values: Readonly<Record<V, string>>;
}

export interface FlagShape {
  readonly kind: "flag";
}

/** A whole number without upper bound; JSON booleans and fractions are none. */
export interface IntegerShape {
  readonly kind: "integer";
  readonly positive: boolean;
}

export interface NullableShape<S extends Shape = Shape> {
  readonly kind: "nullable";
  readonly of: S;
}

export interface ListShape<S extends Shape = Shape> {
  readonly kind: "list";
  readonly of: S;
  readonly canBeEmpty: boolean;
}

/** An object with known keys, in their canonical order. */
export interface ObjectShape<F extends Fields = Fields> {
  readonly kind: "object";
  readonly name: string;
  readonly fields: F;
  readonly unknownKeys: "dropped" | "refused";
  readonly rules: readonly Rule[];
}

/** A value that has one of several shapes. */
export interface VariantsShape<S extends Shape = Shape, V = unknown> {
  readonly kind: "variants";
  readonly name: string;
  readonly options: readonly S[];
  /** The shape to read by; undefined when the value has none of them, which is then in the report. */
  choose(value: ExactJson, report: IssueReport): S | undefined;
  /** The shape by which a value was read. */
  shapeOf(value: V): S;
}

/** An object from any keys to strings; the order of keys is kept. */
export interface TextMapShape {
  readonly kind: "text map";
}

/** Any JSON object, kept as it was written. */
export interface AnyObjectShape {
  readonly kind: "any object";
}

/** Whole numbers beyond the safe ones are bigints, never both: equal numbers are `===`. */
export type Integer = number | bigint;

/** The value of a shape, once read without issues. */
export type ValueOf<S> = S extends { readonly kind: infer K }
  ? K extends "text"
    ? string
    : K extends "flag"
      ? boolean
      : K extends "integer"
        ? Integer
        : K extends "text map"
          ? ReadonlyMap<string, string>
          : K extends "any object"
            ? ExactObject
            : CompoundValueOf<S>
  : never;

type CompoundValueOf<S> = S extends { readonly kind: "enumeration"; readonly values: infer V }
  ? keyof V
  : S extends { readonly kind: "nullable"; readonly of: infer I }
    ? ValueOf<I> | null
    : S extends { readonly kind: "list"; readonly of: infer I }
      ? readonly ValueOf<I>[]
      : S extends { readonly kind: "object"; readonly fields: infer F }
        ? ObjectOf<F>
        : S extends { readonly kind: "variants"; readonly options: readonly (infer I)[] }
          ? ValueOf<I>
          : never;

export type ObjectOf<F> = { readonly [K in keyof F]: FieldValueOf<F[K]> };
type FieldValueOf<F> = F extends { readonly shape: infer S; readonly absent: Absent<infer D> }
  ? ValueOf<S> | D
  : never;

export type Fields = Readonly<Record<string, Field>>;

/** One key of an object. */
export interface Field<S extends Shape = Shape, D = unknown> {
  readonly shape: S;
  /** What it means to someone who carries items out. */
  readonly means: string;
  readonly absent: Absent<D>;
  readonly written: Written;
}

/** What it means that the key is not there. */
export type Absent<D> =
  | { readonly is: "refused" }
  | { readonly is: "default"; readonly value: D; readonly nullToo?: boolean }
  | { readonly is: "inherited"; from(object: ExactObject, planAgent: string): D };

/** When the canonical form has the key; one that is left out reads as its default. */
export type Written =
  | "always"
  | "unless default"
  | { when(object: Readonly<Record<string, unknown>>): boolean };

/**
 * A rule between fields of one object. It is tried when each of its fields could be read, whatever is wrong
 * with others.
 */
export interface Rule {
  readonly fields: readonly string[];
  check(object: Readonly<Record<string, unknown>>, report: IssueReport): void;
}

/** A value as a rule sees it: inside its fields, faulty parts are undefined. */
export type Seen<T> = T extends string | number | bigint | boolean | null | ReadonlyMap<string, ExactJson>
  ? T
  : T extends readonly (infer E)[]
    ? readonly (Seen<E> | undefined)[]
    : { readonly [K in keyof T]: Seen<T[K]> | undefined };

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
  values: Readonly<Record<V, string>>,
): EnumerationShape<V> {
  return { kind: "enumeration", name, values };
}

export function nullable<S extends Shape>(of: S): NullableShape<S> {
  return { kind: "nullable", of };
}

export function list<S extends Shape>(of: S): ListShape<S> {
  return { kind: "list", of, canBeEmpty: true };
}

export function nonEmptyList<S extends Shape>(of: S): ListShape<S> {
  return { kind: "list", of, canBeEmpty: false };
}

/** An object whose other keys are dropped. */
export function object<F extends Fields>(name: string, fields: F, ...rules: readonly Rule[]): ObjectShape<F> {
  return { kind: "object", name, fields, unknownKeys: "dropped", rules };
}

/** An object that takes no other keys. */
export function strictObject<F extends Fields>(name: string, fields: F): ObjectShape<F> {
  return { kind: "object", name, fields, unknownKeys: "refused", rules: [] };
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
  written: Exclude<Written, string>,
  shape: S,
  value: D,
  means: string,
): Field<S, D> {
  return { shape, means, absent: { is: "default", value }, written };
}

/** A key whose absence is filled from elsewhere, and written. */
export function inherited<S extends Shape, D>(
  from: (object: ExactObject, planAgent: string) => D,
  shape: S,
  means: string,
): Field<S, D> {
  return { shape, means, absent: { is: "inherited", from }, written: "always" };
}
