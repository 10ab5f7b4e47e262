/**
 * Compiles selections: each field, list and object becomes a function that writes its part of the answer as JSON
 * text. All that can be known before an operation runs is found out here, once.
 */
import {
  defaultFieldResolver,
  defaultTypeResolver,
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getNamedType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  type ResponsePath,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from "graphql";
import { type CompiledField, joinSettled, writeFields } from "./field-list.js";
import { leafWriter } from "./leaves.js";
import { type Arguments, guarded, isLater, type Run, remembered, type WriteValue } from "./run.js";
import { fieldsByKey, type SelectionScope, takesVariables } from "./selections.js";
import { isSettled, settlingPart } from "./settled.js";
import { type Later, Text } from "./text.js";

/** What is compiled. */
export interface Compilation extends SelectionScope {
  /** Fragments multiply fields faster than a document grows. */
  readonly maxFields: number;
  /** How many fields there are so far. */
  compiled: number;
}

/** An operation that is not compiled, because it is too large or needs what is not made here. */
export class NotCompiled extends Error {}

type Nodes = readonly { readonly selectionSet?: SelectionSetNode | undefined }[];

/** The fields that `nodes` select of an object of this type; throws `NotCompiled`. */
export function compileFields(
  compilation: Compilation,
  type: GraphQLObjectType,
  nodes: Nodes,
): readonly CompiledField[] {
  const fields = [...fieldsByKey(compilation, type, nodes)].flatMap(([key, fieldNodes]) => {
    const definition = fieldOf(compilation, type, fieldNodes[0].name.value);
    if (definition === undefined) return [];
    compilation.compiled += 1;
    if (compilation.compiled > compilation.maxFields)
      throw new NotCompiled(`The operation has more than ${compilation.maxFields} fields.`);
    return [compileField(compilation, type, definition, key, fieldNodes)];
  });
  return joinSettled(fields);
}

/** Every object has `__typename`, and the root of queries tells of the schema. */
function fieldOf(
  { schema }: Compilation,
  type: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  const isAboutSchema = type === schema.getQueryType() && name.startsWith("__");
  return isAboutSchema
    ? [SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name)
    : type.getFields()[name];
}

function compileField(
  compilation: Compilation,
  parentType: GraphQLObjectType,
  definition: GraphQLField<unknown, unknown>,
  key: string,
  nodes: readonly [FieldNode, ...FieldNode[]],
): CompiledField {
  const { name: fieldName, type: returnType, resolve = defaultFieldResolver } = definition;
  const mayBeNull = !isNonNullType(returnType);
  const below = valueWriter(compilation, returnType, nodes, `${parentType.name}.${fieldName}`);
  const isSettledHere =
    (isSettled(definition) || isSettled(parentType) || definition === TypeNameMetaFieldDef) &&
    !nodes.some(takesVariables);
  const isFieldSettled = isSettledHere && below.isSettled;
  const writeValue: WriteValue =
    isFieldSettled && !isLeafType(getNamedType(returnType))
      ? (value, run, place, info) => {
          const write = () => below.write(value, run, place, info);
          const mayKeep = typeof value === "object" && value !== null && Object.isFrozen(value);
          return mayKeep ? remembered(value, nodes, run, write) : write();
        }
      : below.write;
  return {
    label: `${JSON.stringify(key)}:`,
    isSettled: isFieldSettled,
    part: settlingPart(definition),
    write(source, run, prev) {
      const path: ResponsePath = { prev, key, typename: parentType.name };
      const write = (): Later<string> => {
        const { schema, fragments, rootValue, operation, variableValues } = run;
        const info: GraphQLResolveInfo = {
          fieldName,
          fieldNodes: nodes,
          returnType,
          parentType,
          path,
          schema,
          fragments,
          rootValue,
          operation,
          variableValues,
        };
        const value = resolve(source, argumentsOf(definition, nodes, run), run.context, info);
        return isLater(value)
          ? value.then((later) => writeValue(later, run, path, info))
          : writeValue(value, run, path, info);
      };
      return guarded(write, nodes, mayBeNull, run, path);
    },
  };
}

const NO_ARGUMENTS: Arguments = Object.freeze({});

function argumentsOf(
  definition: GraphQLField<unknown, unknown>,
  nodes: readonly [FieldNode, ...FieldNode[]],
  run: Run,
): Arguments {
  if (definition.args.length === 0) return NO_ARGUMENTS;
  let args = run.args.get(nodes);
  if (args === undefined) {
    args = getArgumentValues(definition, nodes[0], run.variableValues);
    run.args.set(nodes, args);
  }
  return args;
}

/** How values of one type are written, and whether all that is selected below is settled. */
interface ValueWriter {
  readonly write: WriteValue;
  readonly isSettled: boolean;
}

function valueWriter(
  compilation: Compilation,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  fieldName: string,
): ValueWriter {
  const isRequired = isNonNullType(type);
  const { write, isSettled } = presentWriter(compilation, isRequired ? type.ofType : type, nodes, fieldName);
  return {
    isSettled,
    write: (value, run, place, info) => {
      if (value instanceof Error) throw value;
      if (value !== null && value !== undefined) return write(value, run, place, info);
      if (isRequired) throw new Error(`Cannot return null for non-nullable field ${fieldName}.`);
      return "null";
    },
  };
}

/** Writes values that are there. */
function presentWriter(
  compilation: Compilation,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
  fieldName: string,
): ValueWriter {
  if (isNonNullType(type)) return valueWriter(compilation, type, nodes, fieldName);
  if (isListType(type)) return listWriter(compilation, type.ofType, nodes, fieldName);
  if (isLeafType(type)) return { write: leafWriter(type), isSettled: true };
  if (isAbstractType(type)) return abstractWriter(compilation, type, nodes);
  return objectWriter(compilation, type, nodes);
}

function listWriter(
  compilation: Compilation,
  itemType: GraphQLOutputType,
  nodes: readonly FieldNode[],
  fieldName: string,
): ValueWriter {
  const mayBeNull = !isNonNullType(itemType);
  const item = valueWriter(compilation, itemType, nodes, fieldName);
  const write: WriteValue = (value, run, prev, info) => {
    if (typeof value !== "object" || value === null || !(Symbol.iterator in value)) {
      throw new Error(`The field ${fieldName} has no list.`);
    }
    const text = new Text("[");
    try {
      let key = 0;
      for (const each of value as Iterable<unknown>) {
        const place: ResponsePath = { prev, key, typename: undefined };
        const writeItem = () =>
          isLater(each)
            ? each.then((later) => item.write(later, run, place, info))
            : item.write(each, run, place, info);
        const written = guarded(writeItem, nodes, mayBeNull, run, place);
        if (key > 0) text.add(",");
        text.add(written);
        key += 1;
      }
      return text.end("]");
    } catch (error) {
      return text.fail(error);
    }
  };
  return { write, isSettled: item.isSettled };
}

function objectWriter(
  compilation: Compilation,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): ValueWriter {
  if (type.isTypeOf != null) throw new NotCompiled(`Objects of the type ${type.name} are to be checked.`);
  const fields = compileFields(compilation, type, nodes);
  return {
    write: (source, run, place) => writeFields(fields, source, run, place),
    isSettled: fields.every((field) => field.isSettled),
  };
}

/** The type of each value decides which of the possible selections is written. */
function abstractWriter(
  compilation: Compilation,
  type: GraphQLAbstractType,
  nodes: readonly FieldNode[],
): ValueWriter {
  const possible = compilation.schema.getPossibleTypes(type);
  const writers = new Map(possible.map((one) => [one.name, objectWriter(compilation, one, nodes)]));
  const typeOf = type.resolveType ?? defaultTypeResolver;
  const writerOf = (name: string | undefined): WriteValue => {
    const writer = writers.get(name ?? "");
    if (writer === undefined) throw new Error(`A value of ${type.name} has no type that it may have.`);
    return writer.write;
  };
  const write: WriteValue = (value, run, place, info) => {
    const name = typeOf(value, run.context, info, type);
    return isLater(name)
      ? name.then((later) => writerOf(later)(value, run, place, info))
      : writerOf(name)(value, run, place, info);
  };
  return { write, isSettled: [...writers.values()].every((writer) => writer.isSettled) };
}
