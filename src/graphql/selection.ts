/**
 * Looks ahead into a selection: which fields of a field's answer the operation asks for, before the answer is there.
 * What a field means is for its room.
 */
import {
  type FieldNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
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
}

/** The selection of the field that is being resolved. */
export function selectionOf(info: GraphQLResolveInfo): Selection {
  const field = info.parentType.getFields()[info.fieldName];
  if (field === undefined) throw new Error(`There is no field ${info.fieldName} to look ahead into.`);
  return selection(info, field, info.fieldNodes);
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
      if (!isObjectType(type)) return [];
      const fields = type.getFields();
      return nodesByKey(info, nodes).flatMap((below) => {
        const found = fields[below[0]?.name.value ?? ""];
        return found === undefined ? [] : [selection(info, found, below)];
      });
    },
  };
}

/** Conditions on types are passed over: a fragment that validation lets stand on an object type applies to it. */
function nodesByKey(info: GraphQLResolveInfo, nodes: readonly FieldNode[]): FieldNode[][] {
  const byKey = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  const visit = (set: SelectionSetNode | undefined): void => {
    for (const node of set?.selections ?? []) {
      if (!isIncluded(node, info)) continue;
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        byKey.set(key, [...(byKey.get(key) ?? []), node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        visit(node.selectionSet);
      } else if (!spread.has(node.name.value)) {
        spread.add(node.name.value);
        visit(info.fragments[node.name.value]?.selectionSet);
      }
    }
  };
  for (const node of nodes) visit(node.selectionSet);
  return [...byKey.values()];
}

function isIncluded(node: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean {
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues);
  return skip?.if !== true && include?.if !== false;
}
