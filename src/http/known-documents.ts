/** Documents that were found sound once, so that only what depends on their variables is looked at again. */
import { type DocumentNode, type GraphQLSchema, Kind, parse, Source, validate, visit } from "graphql";
import type { DocumentCache } from "./document-cache.js";
import { assertParsable, assertWithinLimits, type QueryLimits, type Variables } from "./limits.js";

interface KnownDocument {
  /** The variables that page sizes are given by: the limits depend on their values. */
  readonly sizing: readonly string[];
  /** The last of their values with which the document was within the limits, as text. */
  within: string | null;
}

export class KnownDocuments {
  readonly #schema: GraphQLSchema;
  readonly #limits: QueryLimits;
  readonly #parsed: DocumentCache;
  readonly #known = new WeakMap<DocumentNode, KnownDocument>();

  /** `parsed` holds the documents, and may have been filled by others. */
  constructor(schema: GraphQLSchema, limits: QueryLimits, parsed: DocumentCache) {
    this.#schema = schema;
    this.#limits = limits;
    this.#parsed = parsed;
  }

  /** The document, if it is valid and within the limits; the same object for the same text as long as it is kept. */
  get(text: string, variables: Variables): DocumentNode | null {
    try {
      const document = this.#parse(text);
      const known = this.#known.get(document);
      const sizes = known && JSON.stringify(known.sizing.map((name) => variables[name]));
      if (known !== undefined && known.within === sizes) return document;
      // Before the validation, whose work it bounds.
      assertWithinLimits(this.#schema, document, variables, this.#limits);
      if (known !== undefined && sizes !== undefined) known.within = sizes;
      else if (!this.#learn(document)) return null;
      return document;
    } catch {
      // Whatever it is, the engine comes upon it too, and says it.
      return null;
    }
  }

  #parse(text: string): DocumentNode {
    let document = this.#parsed.get(text);
    if (document === undefined) {
      const source = new Source(text);
      assertParsable(source, this.#limits);
      document = parse(source);
      this.#parsed.set(text, document);
    }
    return document;
  }

  /** Whether it is valid. */
  #learn(document: DocumentNode): boolean {
    if (validate(this.#schema, document).length > 0) return false;
    this.#known.set(document, { sizing: sizingVariables(document), within: null });
    return true;
  }
}

function sizingVariables(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Argument({ name, value }) {
      const isSize = name.value === "first" || name.value === "last";
      if (isSize && value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}
