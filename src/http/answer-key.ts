/**
 * Which subscriptions may share their answers: those of the same document and operation, with the same variables
 * wherever these decide what is shown. What stands in the arguments of the field that is followed (`after`, a filter,
 * an id) decides which items come, and the items say that themselves: two clients that resume at different places
 * still share. Nobody may see more than others; once somebody does, what they may see belongs into the key.
 */
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type SelectionSetNode,
  visit,
} from "graphql";
import type { SubscribePayload } from "graphql-ws";

/** Equal for subscriptions of which each item has the same answer; `document` is the parsed query. */
export function answerKey(
  { query, operationName, variables }: SubscribePayload,
  document: DocumentNode,
): string {
  const given = variables ?? {};
  const deciding = namesOfDeciding(document).filter((name) => Object.hasOwn(given, name));
  return JSON.stringify([query, operationName, deciding.map((name) => [name, given[name]])]);
}

const known = new WeakMap<DocumentNode, readonly string[]>();

/** The names of the variables that decide what is shown of an item. */
function namesOfDeciding(document: DocumentNode): readonly string[] {
  let names = known.get(document);
  if (names === undefined) {
    names = findDeciding(document);
    known.set(document, names);
  }
  return names;
}

function findDeciding(document: DocumentNode): readonly string[] {
  const choosing = new Set<ArgumentNode>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const field of rootFields(definition.selectionSet)) {
      for (const argument of field.arguments ?? []) choosing.add(argument);
    }
  }
  const names = new Set<string>();
  visit(document, {
    VariableDefinition: () => false,
    Argument: (node) => (choosing.has(node) ? false : undefined),
    Variable: ({ name }) => void names.add(name.value),
  });
  return [...names];
}

/** The root fields as far as they do not stand in named fragments; what stands there counts as shown. */
function rootFields({ selections }: SelectionSetNode): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    return selection.kind === Kind.INLINE_FRAGMENT ? rootFields(selection.selectionSet) : [];
  });
}
