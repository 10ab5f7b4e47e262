/**
 * Whether a subscription follows anything. Validation demands one field, but not that `@skip` and `@include`
 * leave it there; without it there would be nothing to subscribe to.
 */
import {
  type ExecutionArgs,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  getOperationAST,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";

/** False where directives leave out the only field. */
export function hasField({
  document,
  operationName,
  variableValues,
}: Pick<ExecutionArgs, "document" | "operationName" | "variableValues">): boolean {
  const variables = variableValues ?? undefined;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const operation = getOperationAST(document, operationName);
  return operation == null || selectsField(operation.selectionSet);

  function selectsField({ selections }: SelectionSetNode): boolean {
    return selections.some((selection) => {
      if (!isIncluded(selection)) return false;
      if (selection.kind === Kind.FIELD) return true;
      const below = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      return below !== undefined && selectsField(below.selectionSet);
    });
  }

  function isIncluded(selection: SelectionNode): boolean {
    return (
      getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if !== true &&
      getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false
    );
  }
}
