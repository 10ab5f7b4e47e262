/** Which fields a selection asks for of an object of one type, fragments and directives resolved. */
import {
  BREAK,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  type InlineFragmentNode,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from "graphql";

/** What a selection means depends on, besides its own text. */
export interface SelectionScope {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode | undefined>>;
  readonly variableValues: { readonly [name: string]: unknown };
}

/**
 * The fields that are selected in `nodes`, by their response keys, in the order of the answer: of each key all places
 * that ask for it. Validation made sure that they are one field with one set of arguments.
 */
export function fieldsByKey(
  scope: SelectionScope,
  type: GraphQLObjectType,
  nodes: readonly { readonly selectionSet?: SelectionSetNode | undefined }[],
): ReadonlyMap<string, readonly [FieldNode, ...FieldNode[]]> {
  const byKey = new Map<string, [FieldNode, ...FieldNode[]]>();
  const spread = new Set<string>();
  const visit = (set: SelectionSetNode | undefined): void => {
    for (const node of set?.selections ?? []) {
      if (!isIncluded(node, scope)) continue;
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        const known = byKey.get(key);
        if (known === undefined) byKey.set(key, [node]);
        else known.push(node);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (applies(node, type, scope)) visit(node.selectionSet);
      } else if (!spread.has(node.name.value)) {
        spread.add(node.name.value);
        const fragment = scope.fragments[node.name.value];
        if (fragment !== undefined && applies(fragment, type, scope)) visit(fragment.selectionSet);
      }
    }
  };
  for (const node of nodes) visit(node.selectionSet);
  return byKey;
}

/** Whether the field's value follows from more than what stands in the document. */
export function takesVariables({ arguments: given = [] }: FieldNode): boolean {
  let takes = false;
  for (const argument of given) {
    visit(argument.value, {
      Variable() {
        takes = true;
        return BREAK;
      },
    });
  }
  return takes;
}

/** Whether a fragment's condition holds for an object of this type. */
function applies(
  { typeCondition }: InlineFragmentNode | FragmentDefinitionNode,
  type: GraphQLObjectType,
  { schema }: SelectionScope,
): boolean {
  if (typeCondition === undefined || typeCondition.name.value === type.name) return true;
  const condition = schema.getType(typeCondition.name.value);
  return isAbstractType(condition) && schema.isSubType(condition, type);
}

function isIncluded(node: SelectionNode, { variableValues }: SelectionScope): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true;
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues);
  return skip?.if !== true && include?.if !== false;
}
