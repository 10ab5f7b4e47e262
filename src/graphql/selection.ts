/**
 * Looks ahead into a selection: which fields of a field's answer the operation asks for, before the answer is there.
 * What a field means is for its room.
 */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getNamedType,
  isAbstractType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from "graphql";
import type { z } from "zod";
import { fieldsByKey } from "../execution/selections.js";

declare module "graphql" {
  export interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** The check of a field's arguments, for those who look ahead; the field itself checks by it too. */
    argsSchema?: z.ZodType;
  }
}

export interface Selection {
  /** The name of the field, whatever its alias. */
  readonly name: string;
  /** Its arguments; throws a GraphQLError where a variable does not fit them. */
  args(): Readonly<Record<string, unknown>>;
  /** What its arguments must be, where its field says so to those who look ahead. */
  readonly argsSchema: z.ZodType | null;
  /** What is selected of its answer, each response key once; nothing unless the answer is of an object type. */
  below(): readonly Selection[];
  /** The same of an answer of an abstract type, for each type that it may turn out to be of; only one comes true. */
  alternatives(): readonly (readonly Selection[])[];
}

/** The selection of the field that is being resolved. */
export function selectionOf(info: GraphQLResolveInfo): Selection {
  const field = info.parentType.getFields()[info.fieldName];
  if (field === undefined) throw new Error(`There is no field ${info.fieldName} to look ahead into.`);
  return selection(info, field, info.fieldNodes);
}

/** The selections of all root fields of the operation that is running. */
export function selectionsOfOperation(info: GraphQLResolveInfo): readonly Selection[] {
  const root = info.schema.getRootType(info.operation.operation);
  return root == null ? [] : selectionsOn(info, root, [info.operation]);
}

/** `nodes` are all places where the document asks for the field under one key; validation made their arguments equal. */
function selection(
  info: GraphQLResolveInfo,
  field: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
): Selection {
  return {
    name: field.name,
    argsSchema: field.extensions.argsSchema ?? null,
    args: () => (nodes[0] === undefined ? {} : getArgumentValues(field, nodes[0], info.variableValues)),
    below: () => {
      const type = getNamedType(field.type);
      return isObjectType(type) ? selectionsOn(info, type, nodes) : [];
    },
    alternatives: () => {
      const type = getNamedType(field.type);
      const types = isAbstractType(type) ? info.schema.getPossibleTypes(type) : [];
      return types.map((possible) => selectionsOn(info, possible, nodes));
    },
  };
}

/** What is selected in `nodes` of an answer of this type. */
function selectionsOn(
  info: GraphQLResolveInfo,
  type: GraphQLObjectType,
  nodes: readonly { readonly selectionSet?: SelectionSetNode | undefined }[],
): readonly Selection[] {
  const fields = type.getFields();
  return [...fieldsByKey(info, type, nodes).values()].flatMap((below) => {
    const found = fields[below[0].name.value];
    return found === undefined ? [] : [selection(info, found, below)];
  });
}

/** What was found by looking ahead into a selection, kept as long as the variables in it have the same values. */
export class KnownSelections<Found> {
  readonly #known = new WeakMap<OperationDefinitionNode, Map<FieldNode, KnownSelection<Found>>>();

  /** What `look` finds in the selection of the field that is being resolved, which follows from the selection alone. */
  get(info: GraphQLResolveInfo, look: () => Found): Found {
    const [node] = info.fieldNodes;
    if (node === undefined) return look();
    const known = this.#knownIn(info.operation).get(node);
    const variables = known?.variables ?? variablesBelow(info);
    const values = JSON.stringify(
      Object.fromEntries(variables.map((name) => [name, info.variableValues[name]])),
    );
    if (known?.values === values) return known.found;
    const found = look();
    this.#knownIn(info.operation).set(node, { variables, values, found });
    return found;
  }

  #knownIn(operation: OperationDefinitionNode): Map<FieldNode, KnownSelection<Found>> {
    let known = this.#known.get(operation);
    if (known === undefined) {
      known = new Map();
      this.#known.set(operation, known);
    }
    return known;
  }
}

interface KnownSelection<Found> {
  readonly variables: readonly string[];
  /** Their values, as text. */
  readonly values: string;
  readonly found: Found;
}

/** The names of the variables below a field, without those of its own arguments. */
function variablesBelow({ fieldNodes, fragments }: GraphQLResolveInfo): readonly string[] {
  const names = new Set<string>();
  const sets: Set<SelectionSetNode> = new Set();
  for (const { selectionSet } of fieldNodes) if (selectionSet !== undefined) sets.add(selectionSet);
  for (const set of sets) {
    visit(set, {
      Variable: ({ name }) => void names.add(name.value),
      FragmentSpread({ name }) {
        const fragment = fragments[name.value];
        if (fragment !== undefined) sets.add(fragment.selectionSet);
      },
    });
  }
  return [...names];
}
