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
  type SelectionSetNode,
} from "graphql";
import { fieldsByKey } from "../execution/selections.js";

export interface Selection {
  /** The name of the field, whatever its alias. */
  readonly name: string;
  /** Its arguments; throws a GraphQLError where a variable does not fit them. */
  args(): Readonly<Record<string, unknown>>;
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
