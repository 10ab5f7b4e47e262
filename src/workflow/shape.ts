/**
 * What the model is made of: shapes of values, the fields of objects, and the rules between fields. A shape is
 * data; what follows from it (reading, writing, API types) is made elsewhere.
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
  /** What the values are about, in a sentence. */
  readonly means: string;
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
  readonly atMost: number;
}

/** An object with known keys, in their canonical order. */
export interface ObjectShape<F extends Fields = Fields> {
  readonly kind: "object";
  readonly name: string;
  /** What such an object is, in a sentence. */
  readonly means: string;
  readonly fields: F;
  /** The fields in canonical order. */
  readonly entries: readonly FieldEntry[];
  /** The fields by code point of their keys. */
  readonly sorted: readonly FieldEntry[];
  /** Those whose being written depends on others. */
  readonly conditional: readonly ConditionalEntry[];
  /** An object with all keys to copy and fill: many times quicker than adding 71 keys one by one. */
  readonly blank: Readonly<Record<string, undefined>>;
  readonly unknownKeys: "dropped" | "refused";
  readonly rules: readonly Rule[];
}

/** A field with its key, and the key as compact JSON has it, with the comma before it. */
export interface FieldEntry {
  readonly key: string;
  readonly label: string;
  readonly field: Field;
}
export type ConditionalEntry = FieldEntry & { readonly field: Field & { readonly written: WrittenWhen } };

/** A value that has one of several shapes. */
export interface VariantsShape<S extends Shape = Shape, V = unknown> {
  readonly kind: "variants";
  readonly name: string;
  /** What such a value is, in a sentence. */
  readonly means: string;
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
  | { readonly is: "inherited"; from(object: ExactObject, plan: ExactJson): D };

/** When the canonical form has the key; one that is left out reads as its default. */
export type Written = "always" | "unless default" | WrittenWhen;
export interface WrittenWhen {
  when(object: Readonly<Record<string, unknown>>): boolean;
}

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
