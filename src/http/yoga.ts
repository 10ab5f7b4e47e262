/**
 * The GraphQL engine behind both transports: Yoga with the limits, the record of what ran, and the errors
 * as clients may see them. It opens no port, and hands out `getEnveloped` for the WebSocket transport.
 */
import {
  createSourceEventStream,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Source,
} from "graphql";
import { createYoga, type Plugin } from "graphql-yoga";
import type { Config } from "../config.js";
import { writeJson } from "../json-writing.js";
import type { DocumentCache } from "./document-cache.js";
import { eventStream } from "./event-stream.js";
import type { Exchange, OperationFacts } from "./exchange.js";
import { answerText, hasFailed, presentErrors, statusOf } from "./failures.js";
import { acceptsEvents } from "./guard.js";
import { assertParsable, assertWithinLimits, type QueryLimits } from "./limits.js";
import type { Log } from "./log.js";
import type { HttpRefusal } from "./refusals.js";
import { hasField } from "./subscription-root.js";

export const GRAPHQL_PATH = "/graphql";

/** What each transport puts into Yoga's context; resolvers find it beside what the builder made. */
interface EngineContext {
  readonly exchange: Exchange;
  /** Takes one of the places for event streams, or answers why there is none; a socket has its own. */
  readonly takePlace?: () => HttpRefusal | null;
}

export interface EngineOptions {
  readonly config: Config;
  readonly schema: GraphQLSchema;
  /** Builds the context of one operation; a GraphQLError that it throws is answered as the client's mistake. */
  readonly context: (facts: OperationFacts) => object | Promise<object>;
  readonly log: Log;
  /** The time between two comments on an event stream, in milliseconds; 12 seconds if not given. */
  readonly keepAliveMs?: number;
}

export type Engine = ReturnType<typeof createEngine>;

/** `parsed` holds the documents that were parsed, whoever did. */
export function createEngine(
  { config, schema, context, log, keepAliveMs = 12_000 }: EngineOptions,
  parsed: DocumentCache,
) {
  return createYoga<EngineContext>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    context: ({ exchange }) => context(exchange),
    // The server before it does what these would: pages, origins, sizes, kinds of body, and its own log.
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    maxRequestBodySize: false,
    logging: false,
    maskedErrors: false,
    // Only the platform's own streams pass a cancel on at once, also while a read is pending.
    fetchAPI: { ReadableStream: globalThis.ReadableStream, Response: globalThis.Response },
    parserAndValidationCache: {
      documentCache: parsed,
      errorCache: { get: () => undefined, set: () => {} },
    },
    plugins: [limitOperations(config.query), recordOperation(), presentAnswers(log, keepAliveMs)],
  });
}

/** Wraps a stream of results so that each passes `present`; a result that has failed as a whole is its last. */
function presentStream(
  results: AsyncIterable<ExecutionResult>,
  present: (result: ExecutionResult) => ExecutionResult,
): AsyncIterableIterator<ExecutionResult> {
  const source = results[Symbol.asyncIterator]();
  let ended = false;
  return {
    async next() {
      if (ended) return { done: true, value: undefined };
      const step = await source.next();
      if (step.done) return step;
      if (hasFailed(step.value)) {
        ended = true;
        await source.return?.();
      }
      return { done: false, value: present(step.value) };
    },
    async return() {
      ended = true;
      await source.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function limitOperations(limits: QueryLimits): Plugin<EngineContext> {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source, options) => {
        assertParsable(typeof source === "string" ? new Source(source) : source, limits);
        return parseFn(source, options);
      });
    },
    onValidate({ params: { schema, documentAST }, context }) {
      assertWithinLimits(schema, documentAST, context.params?.variables ?? {}, limits);
    },
  };
}

/** Notes on the exchange which operation runs, so that its log line can name it; lets subscriptions in. */
function recordOperation(): Plugin<EngineContext> {
  return {
    onParse() {
      return ({ result, context }) => {
        if (!result || result instanceof Error) return;
        const operation = getOperationAST(result, context.params?.operationName);
        context.exchange.operationName = operation?.name?.value ?? null;
        context.exchange.kind = operation?.operation ?? null;
      };
    },
    onSubscribe({ args, setSubscribeFn, setResultAndStopExecution }) {
      const { exchange, request, takePlace } = args.contextValue;
      const isAcceptable = exchange.transport === "websocket" || acceptsEvents(request.headers.get("accept"));
      const refusal =
        (isAcceptable ? null : notAcceptable) ?? (hasField(args) ? null : nothingToFollow) ?? takePlace?.();
      if (refusal) setResultAndStopExecution({ errors: [refusedWith(refusal)] });
      // Over a socket, the items are answered where those who ask the same can share the answers.
      else if (exchange.transport === "websocket") setSubscribeFn(createSourceEventStream);
    },
  };
}

/** The last word on each HTTP answer; the WebSocket transport has its own, over the same errors. */
function presentAnswers(log: Log, keepAliveMs: number): Plugin<EngineContext, EngineContext> {
  return {
    onResultProcess({ request, result, setResult, setResultProcessor, serverContext: { exchange } }) {
      if (Array.isArray(result)) return;
      const present = (one: ExecutionResult) =>
        one.errors ? { ...one, errors: presentErrors(one.errors, exchange, log) } : one;
      if (Symbol.asyncIterator in result) {
        const results = presentStream(result, present);
        setResult(results);
        setResultProcessor(() => eventStream(results, exchange, keepAliveMs), "text/event-stream");
        return;
      }
      const stringify = (answer: unknown) => answerText(() => writeJson(answer), exchange, log);
      const presented = { ...present(result), stringify };
      if (!result.errors || "data" in result) {
        setResult(presented);
        return;
      }
      // A subscription that its resolver refused has run: over a stream that is news, not a bad request.
      const isNews = request.headers.get("accept")?.includes("text/event-stream") && result.errors[0]?.path;
      const status = isNews ? 200 : statusOf(presented.errors ?? [], result.errors);
      setResult({ ...presented, extensions: { ...presented.extensions, http: { status } } });
    },
  };
}

const notAcceptable: HttpRefusal = {
  status: 406,
  code: "NOT_ACCEPTABLE",
  message: "A subscription is answered over WebSocket, or as text/event-stream to who accepts that.",
};

const nothingToFollow: HttpRefusal = {
  status: 400,
  code: "BAD_USER_INPUT",
  message: "The directives leave out the only field of the subscription.",
};

function refusedWith({ status, code, message }: HttpRefusal): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}
