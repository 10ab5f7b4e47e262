/**
 * Compiled operations: what is known of an operation before it runs is found out once and kept, and each run writes
 * its answer as JSON text. The answers are those that graphql-js gives (docs/decisions/compiled-operations.md).
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from "graphql";
import { LRUCache } from "lru-cache";
import { type CompiledField, writeFields } from "./field-list.js";
import { type Compilation, compileFields, NotCompiled } from "./fields.js";
import type { Run } from "./run.js";
import type { SettledTexts } from "./settled.js";
import type { Later } from "./text.js";

/** What an operation is run with. */
export interface RunInput {
  readonly context: unknown;
  /** The variables as `getVariableValues` read them. */
  readonly variableValues: Record<string, unknown>;
  /** What the fields of the root are fields of: an event, where a subscription is executed for one. */
  readonly rootValue?: unknown;
}

export interface Outcome {
  /** The field `data` of the answer as JSON text; `null` where a failure left nothing of it. */
  readonly data: string;
  readonly errors: readonly GraphQLError[];
}

export interface CompiledOperation {
  /** Never throws or rejects: failures are among the errors. */
  run(input: RunInput): Later<Outcome>;
}

/** An operation with more fields is not compiled. */
const MAX_FIELDS = 2_000;
/** How many fields all operations that are kept have together; each takes some 500 bytes. */
const MAX_KEPT_FIELDS = 50_000;

export class CompiledOperations {
  readonly #schema: GraphQLSchema;
  readonly #texts: SettledTexts;
  readonly #known = new WeakMap<OperationDefinitionNode, KnownOperation>();
  readonly #kept = new LRUCache<string, Compiled>({ maxSize: MAX_KEPT_FIELDS, sizeCalculation: sizeOf });
  #lastId = 0;

  /** `texts` keeps what was written of settled values. */
  constructor(schema: GraphQLSchema, texts: SettledTexts) {
    this.#schema = schema;
    this.#texts = texts;
  }

  /**
   * The compiled operation of a document that has passed validation; the same document node each time is what makes
   * it worth while. Null where it is left to graphql-js.
   */
  get(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variableValues: RunInput["variableValues"],
  ): CompiledOperation | null {
    const known = this.#know(document, operation);
    const key = `${known.id} ${known.deciding.map((name) => variableValues[name])}`;
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = compile(this.#schema, this.#texts, known, operation, variableValues);
      this.#kept.set(key, kept);
    }
    return kept.compiled;
  }

  #know(document: DocumentNode, operation: OperationDefinitionNode): KnownOperation {
    let known = this.#known.get(operation);
    if (known === undefined) {
      this.#lastId += 1;
      known = { id: this.#lastId, deciding: decidingVariables(document), fragments: fragmentsOf(document) };
      this.#known.set(operation, known);
    }
    return known;
  }
}

interface KnownOperation {
  readonly id: number;
  /** The variables that decide which fields are in the answer: each of their values is compiled for itself. */
  readonly deciding: readonly string[];
  readonly fragments: Record<string, FragmentDefinitionNode>;
}

interface Compiled {
  readonly compiled: CompiledOperation | null;
  readonly fields: number;
}

function sizeOf({ fields }: Compiled): number {
  return 1 + fields;
}

function compile(
  schema: GraphQLSchema,
  texts: SettledTexts,
  { fragments }: KnownOperation,
  operation: OperationDefinitionNode,
  variableValues: RunInput["variableValues"],
): Compiled {
  const compilation: Compilation = { schema, fragments, variableValues, maxFields: MAX_FIELDS, compiled: 0 };
  const type = schema.getRootType(operation.operation);
  if (type == null) return { compiled: null, fields: 0 };
  try {
    const fields = compileFields(compilation, type, [operation]);
    const write = operation.operation === "mutation" ? writeOneByOne : writeFields;
    const compiled: CompiledOperation = {
      run({ context, variableValues: values, rootValue }) {
        const run: Run = {
          schema,
          fragments,
          rootValue,
          operation,
          variableValues: values,
          context,
          texts,
          errors: [],
          args: new Map(),
        };
        return outcomeOf(() => write(fields, rootValue, run, undefined), run);
      },
    };
    return { compiled, fields: compilation.compiled };
  } catch (error) {
    if (error instanceof NotCompiled) return { compiled: null, fields: 0 };
    throw error;
  }
}

function outcomeOf(write: () => Later<string>, { errors }: Run): Later<Outcome> {
  const succeed = (data: string): Outcome => ({ data, errors });
  const fail = (error: unknown): Outcome => {
    if (!(error instanceof GraphQLError)) throw error;
    return { data: "null", errors: [...errors, error] };
  };
  try {
    const data = write();
    return typeof data === "string" ? succeed(data) : data.then(succeed, fail);
  } catch (error) {
    return fail(error);
  }
}

/** The fields of a mutation: each begins when the one before has ended. */
async function writeOneByOne(
  fields: readonly CompiledField[],
  rootValue: unknown,
  run: Run,
): Promise<string> {
  const texts: string[] = [];
  for (const { label, write } of fields) texts.push(label + (await write(rootValue, run, undefined)));
  return `{${texts.join(",")}}`;
}

function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}

/** The variables of `@skip` and `@include`, anywhere in the document. */
function decidingVariables(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ arguments: args = [] }) {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}
