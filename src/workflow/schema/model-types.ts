/**
 * GraphQL types out of the model of workflow plans: names, types and descriptions follow from its one table, so
 * that a field that is added there is in the API. What a shape alone does not say is told by `standsFor`.
 */
import type { FieldMap, OutputType } from "@pothos/core";
import type { GraphQLResolveInfo } from "graphql";
import { builder } from "../../graphql/builder.js";
import type { Context } from "../../graphql/context.js";
import { CANONICAL } from "../json-form.js";
import { renderValue } from "../render.js";
import type { EnumerationShape, Field, ObjectShape, Shape, VariantsShape } from "../shape.js";
import type { Usage } from "../usage.js";
import { finish, Pace } from "../work.js";
import { shownText, usageOf } from "./shown-text.js";

/** An object as it was read by its shape. */
export type ModelObject = Readonly<Record<string, unknown>>;

type Types = typeof builder.$inferSchemaTypes;
type ObjectFields<Parent> = PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>;

/** The types made so far; a shape has one, wherever it stands. */
const made = new Map<Shape, OutputType<Types>>();

/** Says which type a shape has, where none can be made of the shape itself. */
export function standsFor(shape: Shape, type: OutputType<Types>): void {
  made.set(shape, type);
}

/** The enum of an enumeration; its values are upper case outside. */
export function enumOf<Value extends string>(shape: EnumerationShape<Value>) {
  const values = Object.entries<string>(shape.values).map(([value, description]) => [
    value.toUpperCase(),
    { value, description },
  ]);
  const type = builder.enumType(typeName(shape), {
    description: shape.means,
    values: Object.fromEntries(values) as { [Name in Value]: { value: Name } },
  });
  standsFor(shape, type);
  return type;
}

interface ObjectOptions {
  readonly name?: string;
  /** The keys of the fields that the type does not have. */
  readonly without?: readonly string[];
  readonly interfaces?: PothosSchemaTypes.InterfaceRef<Types, ModelObject>[];
}

/** The object type of an object, with all its fields but those left out. */
export function objectOf(
  shape: ObjectShape,
  { name = typeName(shape), without = [], interfaces = [] }: ObjectOptions = {},
) {
  makeTypesIn(shape, without);
  const type = builder.objectRef<ModelObject>(name).implement({
    description: shape.means,
    interfaces,
    fields: (t) => modelFields(t, shape, (object) => object, without),
  });
  standsFor(shape, type);
  return type;
}

/** The interface of a value that is one of several objects; it has the exact JSON text of each of them. */
export function interfaceOf<Option extends ObjectShape>(shape: VariantsShape<Option, never>) {
  const type = builder.interfaceRef<ModelObject>(typeName(shape)).implement({
    description: shape.means,
    fields: (t) => ({
      json: t.string({
        description: "The whole of it as exact JSON text.",
        resolve: (value, _args, context, info) =>
          shownText(usageOf(context, info), () => textOf(shape, value)),
      }),
    }),
    resolveType: (value) => typeName(shape.shapeOf(value as never)),
  });
  for (const option of shape.options) objectOf(option, { interfaces: [type] });
  standsFor(shape, type);
}

/** Makes the types of all fields but those left out; the fields themselves come later, when no type can be made. */
export function makeTypesIn(shape: ObjectShape, without: readonly string[] = []): void {
  for (const { key, field } of shape.entries) if (!without.includes(key)) outputType(field.shape);
}

/** The fields of an object in camelCase, for a type whose values have such an object. */
export function modelFields<Parent>(
  t: ObjectFields<Parent>,
  shape: ObjectShape,
  objectIn: (parent: Parent) => ModelObject | Promise<ModelObject>,
  without: readonly string[] = [],
): FieldMap {
  const shown = shape.entries.filter(({ key }) => !without.includes(key));
  return Object.fromEntries(
    shown.flatMap(({ key, field }) => {
      const reading: Reading<Parent> = (show) => (parent, _args, context, info) => {
        const shown = (object: ModelObject) => show(object[key], usageOf(context, info));
        const object = objectIn(parent);
        return object instanceof Promise ? object.then(shown) : shown(object);
      };
      const name = camelCase(key);
      const own = [name, modelField(t, field, reading)] as const;
      return isVerbatim(field.shape) ? [own, [`${name}Json`, textField(t, field, reading)] as const] : [own];
    }),
  );
}

/** The canonical text of a value of a shape. */
export function textOf(shape: Shape, value: unknown): string {
  return finish(renderValue(shape, value, CANONICAL, new Pace()));
}

/** `on_failure`: onFailure. */
export function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Makes a resolver of what is to be shown of a value. */
type Reading<Parent> = (
  show: (value: unknown, usage: Usage) => unknown,
) => (parent: Parent, args: object, context: Context, info: GraphQLResolveInfo) => unknown;

function modelField<Parent>(t: ObjectFields<Parent>, field: Field, reading: Reading<Parent>) {
  const { type, list, nullable } = outputType(field.shape);
  return t.field({
    type: list ? [type] : type,
    nullable: nullable || (field.absent.is === "default" && field.absent.value === null),
    description: field.means,
    resolve: reading((value, usage) => shown(field.shape, value, usage)) as () => never,
  });
}

function textField<Parent>(t: ObjectFields<Parent>, field: Field, reading: Reading<Parent>) {
  return t.string({
    nullable: field.shape.kind === "nullable",
    description: `${field.means} As exact JSON text.`,
    resolve: reading((value, usage) =>
      value === null ? null : shownText(usage, () => textOf(field.shape, value)),
    ) as () => never,
  });
}

/** A value in the form in which its type takes it. */
function shown(shape: Shape, value: unknown, usage: Usage): unknown {
  switch (shape.kind) {
    case "nullable":
      return value === null ? null : shown(shape.of, value, usage);
    case "any object":
      return JSON.parse(shownText(usage, () => textOf(shape, value)));
    case "text":
      return typeof value === "string" ? shownText(usage, () => value) : value;
    case "text map":
      return [...(value as ReadonlyMap<string, string>)];
    default:
      return value;
  }
}

interface ShownAs {
  readonly type: OutputType<Types>;
  readonly list: boolean;
  readonly nullable: boolean;
}

/** The type of a shape; it is made where there is none yet. */
function outputType(shape: Shape): ShownAs {
  switch (shape.kind) {
    case "nullable":
      return { ...outputType(shape.of), nullable: true };
    case "list":
      return { ...outputType(shape.of), list: true };
    case "text map":
      return { type: VariableRef, list: true, nullable: false };
    default:
      return { type: made.get(shape) ?? newType(shape), list: false, nullable: false };
  }
}

function newType(shape: Exclude<Shape, { kind: "nullable" | "list" | "text map" }>): OutputType<Types> {
  switch (shape.kind) {
    case "text":
      return "String";
    case "flag":
      return "Boolean";
    case "integer":
      return "WholeNumber";
    case "any object":
      return "JSONObject";
    case "enumeration":
      return enumOf(shape);
    case "object":
      return objectOf(shape);
    case "variants":
      throw new Error(`Nothing says which type stands for a ${shape.name}.`);
    default:
      return shape satisfies never;
  }
}

const VariableRef = builder
  .objectRef<readonly [name: string, value: string]>("WorkflowEnvironmentVariable")
  .implement({
    description: "A variable of the environment of a command.",
    fields: (t) => ({
      name: t.string({ description: "Its name.", resolve: ([name]) => name }),
      value: t.string({ description: "Its value.", resolve: ([, value]) => value }),
    }),
  });

/** Whether a value is kept as it was written, which a JSON scalar does not show in full. */
function isVerbatim(shape: Shape): boolean {
  return shape.kind === "nullable" ? isVerbatim(shape.of) : shape.kind === "any object";
}

/** `work item update`: WorkflowWorkItemUpdate. */
function typeName({ name }: { readonly name: string }): string {
  return `Workflow${name.replace(/(?:^|[ _])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}
