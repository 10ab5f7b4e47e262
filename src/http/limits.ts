/**
 * Bounds on the work that one document may ask for, checked before it is validated or run: tokens, nesting,
 * aliases and an estimate of the fields that it resolves. Itself linear in the size of the document.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type Source,
  TokenKind,
  visit,
} from "graphql";
import type { Config } from "../config.js";

export type QueryLimits = Config["query"];
export type Variables = Readonly<Record<string, unknown>>;

/** How many items a connection is reckoned to hold when the document does not say. */
const DEFAULT_PAGE_SIZE = 20;
/** No connection gives more items at once; see the schema. */
const LARGEST_PAGE = 100;
/** Brackets of all kinds, in values too: the parser calls itself for each, so this guards the stack. */
const MAX_NESTED_BRACKETS = 500;

/** Throws TOO_MANY_TOKENS or QUERY_TOO_DEEP; leaves syntax errors to the parser. */
export function assertParsable(source: Source, limits: QueryLimits): void {
  const lexer = new Lexer(source);
  let tokens = 0;
  let nested = 0;
  for (;;) {
    const kind = nextKind(lexer);
    if (kind === undefined || kind === TokenKind.EOF) return;
    if (opening.has(kind)) nested += 1;
    else if (closing.has(kind)) nested -= 1;
    tokens += 1;
    if (tokens > limits.maxTokens) {
      throw excess("TOO_MANY_TOKENS", `has more than ${limits.maxTokens} tokens`, "PHASELINE_MAX_TOKENS");
    }
    if (nested > MAX_NESTED_BRACKETS) {
      throw excess("QUERY_TOO_DEEP", `nests more than ${MAX_NESTED_BRACKETS} brackets`, null);
    }
  }
}

/**
 * Throws TOO_MANY_ALIASES, QUERY_TOO_DEEP or QUERY_TOO_COSTLY. Each field costs 1, and what stands below a
 * connection counts once for every item asked for (`first` or `last`, from 1 to 100, else 20). Every operation of the
 * document must be within the limits, not only the one that runs.
 */
export function assertWithinLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Variables,
  limits: QueryLimits,
): void {
  if (countAliases(document) > limits.maxAliases) {
    throw excess("TOO_MANY_ALIASES", `has more than ${limits.maxAliases} aliases`, "PHASELINE_MAX_ALIASES");
  }
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, cost, items } = measureOperation(schema, document, definition, variables);
    if (depth > limits.maxDepth) {
      throw excess(
        "QUERY_TOO_DEEP",
        `nests ${depth} fields; the limit is ${limits.maxDepth}`,
        "PHASELINE_MAX_DEPTH",
      );
    }
    if (cost > limits.maxCost) {
      throw excess(
        "QUERY_TOO_COSTLY",
        `may resolve ${cost} fields; the limit is ${limits.maxCost}`,
        "PHASELINE_MAX_COST",
      );
    }
    if (items > limits.maxItems) {
      throw excess(
        "QUERY_TOO_COSTLY",
        `may list ${items} items; the limit is ${limits.maxItems}`,
        "PHASELINE_MAX_ITEMS",
      );
    }
  }
}

interface Extent {
  readonly depth: number;
  readonly cost: number;
  /** The items of all lists together. */
  readonly items: number;
}

const NOTHING: Extent = { depth: 0, cost: 0, items: 0 };
const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

function measureOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): Extent {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measured = new Map<string, Extent>();
  return measureSelections(operation.selectionSet, schema.getRootType(operation.operation));

  function measureSelections(set: SelectionSetNode, type: GraphQLCompositeType | null | undefined): Extent {
    let depth = 0;
    let cost = 0;
    let items = 0;
    for (const selection of set.selections) {
      let extent: Extent;
      if (selection.kind === Kind.FIELD) {
        extent = measureField(selection, type);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        extent = measureSelections(selection.selectionSet, conditionType(selection.typeCondition) ?? type);
      } else {
        extent = measureFragment(selection.name.value);
      }
      depth = Math.max(depth, extent.depth);
      cost += extent.cost;
      items += extent.items;
    }
    return { depth, cost, items };
  }

  function measureField(node: FieldNode, type: GraphQLCompositeType | null | undefined): Extent {
    const field = type && "getFields" in type ? type.getFields()[node.name.value] : undefined;
    const own = typeof field?.extensions.cost === "number" ? field.extensions.cost : 1;
    if (node.selectionSet === undefined) return { depth: 1, cost: own, items: 0 };
    const fieldType = field && getNamedType(field.type);
    const below = measureSelections(node.selectionSet, isCompositeType(fieldType) ? fieldType : null);
    const size = pageSize(node, field, operation, variables);
    return {
      depth: 1 + below.depth,
      cost: own + below.cost * (size ?? 1),
      items: (size ?? 0) + below.items * (size ?? 1),
    };
  }

  /** Each fragment once, however often it is spread; one that spreads itself is left to validation. */
  function measureFragment(name: string): Extent {
    const known = measured.get(name);
    if (known) return known;
    measured.set(name, NOTHING);
    const fragment = fragments.get(name);
    const extent = fragment
      ? measureSelections(fragment.selectionSet, conditionType(fragment.typeCondition))
      : NOTHING;
    measured.set(name, extent);
    return extent;
  }

  function conditionType(
    condition: { name: { value: string } } | undefined,
  ): GraphQLCompositeType | undefined {
    const type = condition && schema.getType(condition.name.value);
    return isCompositeType(type) ? type : undefined;
  }
}

/** How many items a connection may have; null for a field that is none. */
function pageSize(
  node: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
  operation: OperationDefinitionNode,
  variables: Variables,
): number | null {
  if (!field || !getNamedType(field.type).name.endsWith("Connection")) return null;
  for (const argument of node.arguments ?? []) {
    if (argument.name.value !== "first" && argument.name.value !== "last") continue;
    let value = argument.value;
    if (value.kind === Kind.VARIABLE) {
      const name = value.name.value;
      const given = variables[name];
      if (typeof given === "number") return reckoned(given);
      const otherwise = operation.variableDefinitions?.find(
        (one) => one.variable.name.value === name,
      )?.defaultValue;
      if (given !== undefined || otherwise === undefined) continue;
      value = otherwise;
    }
    if (value.kind === Kind.INT) return reckoned(Number(value.value));
  }
  return DEFAULT_PAGE_SIZE;
}

/** A page that is larger than any may be is for its field to refuse, which knows how large it may be. */
function reckoned(size: number): number {
  return Math.min(Math.max(1, size), LARGEST_PAGE);
}

function countAliases(document: DocumentNode): number {
  let aliases = 0;
  visit(document, {
    Field(node) {
      if (node.alias) aliases += 1;
    },
  });
  return aliases;
}

function nextKind(lexer: Lexer): TokenKind | undefined {
  try {
    return lexer.advance().kind;
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

function excess(code: string, what: string, setting: string | null): GraphQLError {
  const how = setting === null ? "" : ` It is set by ${setting}.`;
  return new GraphQLError(`The document ${what}.${how}`, { extensions: { code, http: { status: 400 } } });
}
