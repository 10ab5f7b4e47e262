/**
 * Operations in their plain form, sent as JSON and answered at once with JSON: what nearly all queries and mutations
 * are. They run compiled and past Yoga. Whatever is another form, or wrong, is left to the engine (`yoga.ts`), which
 * has the words for it; nothing has run by then.
 */
import { getOperationAST, getVariableValues } from "graphql";
import { CompiledOperations, type Outcome } from "../execution/operations.js";
import { SettledTexts } from "../execution/settled.js";
import type { DocumentCache } from "./document-cache.js";
import type { Exchange } from "./exchange.js";
import { answerText, presentErrors } from "./failures.js";
import { KnownDocuments } from "./known-documents.js";
import type { Variables } from "./limits.js";
import type { EngineOptions } from "./yoga.js";

/** What of the memory for plans may be texts of them (see `app.ts` for the rest). */
export const TEXTS_SHARE = 1 / 8;

export interface PlainAnswer {
  readonly contentType: string;
  readonly text: string;
}

export interface PlainOperations {
  /** Answers with status 200; null where the engine is to answer. */
  answer(body: Uint8Array, accept: string | undefined, exchange: Exchange): Promise<PlainAnswer | null>;
}

/** `parsed` is shared with the engine, so that a document is parsed once. */
export function plainOperations(
  { config, schema, context, log }: EngineOptions,
  parsed: DocumentCache,
): PlainOperations {
  const documents = new KnownDocuments(schema, config.query, parsed);
  const operations = new CompiledOperations(schema, new SettledTexts(config.cacheBytes * TEXTS_SHARE));

  return {
    async answer(body, accept, exchange) {
      const mediaType = mediaTypeFor(accept);
      const request = mediaType === null ? null : requestIn(body);
      const prepared = request === null ? null : prepare(request);
      if (mediaType === null || prepared === null) return null;
      const contextValue = await contextFor(exchange);
      if (contextValue === null) return null;
      const { operation, compiled, variableValues } = prepared;
      exchange.operationName = operation.name?.value ?? null;
      exchange.kind = operation.operation;
      const outcome = await compiled.run({ context: contextValue, variableValues });
      return { contentType: `${mediaType}; charset=utf-8`, text: textOf(outcome, exchange) };
    },
  };

  /** Null where the engine will find something wrong with it. */
  function prepare({ query, operationName, variables }: PlainRequest) {
    const document = documents.get(query, variables);
    const operation = document && getOperationAST(document, operationName);
    if (!document || !operation || operation.operation === "subscription") return null;
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
    const compiled = coerced && operations.get(document, operation, coerced);
    return compiled ? { operation, compiled, variableValues: coerced } : null;
  }

  async function contextFor(exchange: Exchange): Promise<object | null> {
    try {
      return await context(exchange);
    } catch {
      return null;
    }
  }

  function textOf({ data, errors }: Outcome, exchange: Exchange): string {
    const failed =
      errors.length === 0 ? "" : `"errors":${JSON.stringify(presentErrors(errors, exchange, log))},`;
    return answerText(() => `{${failed}"data":${data}}`, exchange, log);
  }
}

interface PlainRequest {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Variables;
}

const PARAMETERS: ReadonlySet<string> = new Set(["query", "operationName", "variables", "extensions"]);

/** The request that a body is; null unless it is one, and in order. */
function requestIn(body: Uint8Array): PlainRequest | null {
  const request = jsonIn(body);
  if (!isObject(request)) return null;
  const { query, operationName = null, variables, extensions } = request;
  if (typeof query !== "string" || !(operationName === null || typeof operationName === "string"))
    return null;
  if (!isObject(variables ?? {}) || !isObject(extensions ?? {})) return null;
  if (Object.keys(request).some((name) => !PARAMETERS.has(name) && request[name] != null)) return null;
  return { query, operationName, variables: isObject(variables) ? variables : {} };
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"));
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const JSON_TYPE = "application/json";
const GRAPHQL_TYPE = "application/graphql-response+json";

/** The media type of an answer to who accepts this: of several the first; null where it may be another form. */
function mediaTypeFor(accept: string | undefined): string | null {
  if (!accept) return JSON_TYPE;
  for (const range of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    if (parameters.some((parameter) => parameter.startsWith("charset") && parameter !== "charset=utf-8"))
      continue;
    if (type === GRAPHQL_TYPE) return GRAPHQL_TYPE;
    if (type === JSON_TYPE || type === "application/*" || type === "*/*") return JSON_TYPE;
  }
  return null;
}
