/**
 * Looks ahead into a selection: which fields of a field's answer the operation asks for, before the answer is there.
 * What a field means is for its room.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  type InlineFragmentNode,
  isAbstractType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";

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
  return nodesByKey(info, type, nodes).flatMap((below) => {
    const found = fields[below[0]?.name.value ?? ""];
    return found === undefined ? [] : [selection(info, found, below)];
  });
}

function nodesByKey(
  info: GraphQLResolveInfo,
  type: GraphQLObjectType,
  nodes: readonly { readonly selectionSet?: SelectionSetNode | undefined }[],
): FieldNode[][] {
  const byKey = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  const visit = (set: SelectionSetNode | undefined): void => {
    for (const node of set?.selections ?? []) {
      if (!isIncluded(node, info)) continue;
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        byKey.set(key, [...(byKey.get(key) ?? []), node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (applies(node, type, info)) visit(node.selectionSet);
      } else if (!spread.has(node.name.value)) {
        spread.add(node.name.value);
        const fragment = info.fragments[node.name.value];
        if (fragment !== undefined && applies(fragment, type, info)) visit(fragment.selectionSet);
      }
    }
  };
  for (const node of nodes) visit(node.selectionSet);
  return [...byKey.values()];
}

/** Whether a fragment's condition holds for an answer of this type. */
function applies(
  { typeCondition }: InlineFragmentNode | FragmentDefinitionNode,
  type: GraphQLObjectType,
  { schema }: GraphQLResolveInfo,
): boolean {
  if (typeCondition === undefined || typeCondition.name.value === type.name) return true;
  const condition = schema.getType(typeCondition.name.value);
  return isAbstractType(condition) && schema.isSubType(condition, type);
}

function isIncluded(node: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean {
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues);
  return skip?.if !== true && include?.if !== false;
}
