/**
 * The operations of WebSocket clients: runs what graphql-ws reads from a socket through the engine, so that
 * limits, errors and log lines are those of HTTP. The sockets themselves are `sockets.ts`'s.
 */
import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST } from "graphql";
import type { ServerOptions, SubscribePayload } from "graphql-ws";
import { type Exchange, openExchange, summarise } from "./exchange.js";
import { hasFailed, presentErrors } from "./failures.js";
import type { InFlight } from "./inflight.js";
import type { Log } from "./log.js";
import type { Engine } from "./yoga.js";

/** What graphql-ws carries along for one socket. */
export interface SocketExtra extends Record<PropertyKey, unknown> {
  /** The raw header of the upgrade request; the connection parameter `actor` goes before it. */
  readonly actor: string | null;
  /** Aborted when the socket has closed. */
  readonly closed: AbortSignal;
  readonly operations: Map<string, Operation>;
}

interface Operation {
  readonly exchange: Exchange;
  /** Ends a stopping server's wait for its answer to be sent. */
  release(): void;
}

type Parameters = Readonly<Record<string, unknown>>;
type Enveloped = ReturnType<Engine["getEnveloped"]>;

interface SocketOperationsOptions {
  readonly engine: Engine;
  readonly inFlight: InFlight;
  readonly stopping: AbortSignal;
  readonly log: Log;
  /** How many operations may run on one socket at once. */
  readonly maxOperations: number;
}

export function socketOperations({
  engine,
  inFlight,
  stopping,
  log,
  maxOperations,
}: SocketOperationsOptions): ServerOptions<Record<string, unknown>, SocketExtra> {
  const prepared = new WeakMap<ExecutionArgs, Enveloped>();
  return {
    connectionInitWaitTimeout: 10_000,
    async onSubscribe({ connectionParams = {}, extra }, id, payload) {
      const exchange = openExchange("websocket", actorOf(connectionParams) ?? extra.actor, extra.closed);
      // Two operations of one id would mix up their frames while the first is still winding up.
      const refusal = refuse(extra.operations, id);
      if (refusal) return presentErrors([refusal], exchange, log);
      const operation: Operation = { exchange, release: inFlight.begin() };
      extra.operations.set(id, operation);
      try {
        const args = await prepare(payload, exchange, connectionParams);
        // A subscription ends when the server does; it is not waited for.
        if (exchange.kind === "subscription") operation.release();
        return args;
      } catch (error) {
        const errors = presentErrors(errorsOf(error), exchange, log);
        end(extra, id);
        return errors;
      }
    },
    async execute(args) {
      // Held on its own, because the client may leave while it runs.
      const release = inFlight.begin();
      try {
        return await envelopedFor(args).execute(args);
      } finally {
        release();
      }
    },
    async subscribe(args) {
      const results: ExecutionResult | AsyncIterableIterator<ExecutionResult> =
        await envelopedFor(args).subscribe(args);
      return Symbol.asyncIterator in results ? untilFailure(results) : results;
    },
    async onOperation(_context, _id, _payload, _args, pending) {
      const result = await pending;
      const isRefused = !(Symbol.asyncIterator in result) && !("data" in result);
      return isRefused ? failing(result.errors ?? []) : undefined;
    },
    onNext({ extra }, id, _payload, _args, result) {
      const exchange = extra.operations.get(id)?.exchange;
      if (!result.errors || !exchange) return;
      return {
        ...result,
        errors: presentErrors(result.errors, exchange, log).map((error) => error.toJSON()),
      };
    },
    onError({ extra }, id, _payload, errors) {
      const exchange = extra.operations.get(id)?.exchange;
      // Without an exchange they were presented before the operation began.
      const presented = exchange ? presentErrors(errors.flatMap(errorsOf), exchange, log) : errors;
      return presented.map((error) => error.toJSON());
    },
    onComplete: ({ extra }, id) => end(extra, id),
    onClose({ extra }) {
      for (const { release } of extra.operations.values()) release();
    },
  };

  function refuse(operations: SocketExtra["operations"], id: string): GraphQLError | null {
    if (stopping.aborted) return clientError("SERVICE_UNAVAILABLE", "The server is shutting down.");
    if (operations.has(id)) {
      return clientError("OPERATION_ID_IN_USE", "The operation of this id has not ended yet.");
    }
    if (operations.size < maxOperations) return null;
    const message = `At most ${maxOperations} operations run on one connection at once. It is set by PHASELINE_MAX_OPERATIONS_PER_SOCKET.`;
    return clientError("TOO_MANY_OPERATIONS", message);
  }

  async function prepare(payload: SubscribePayload, exchange: Exchange, parameters: Parameters) {
    const params = { ...payload, variables: payload.variables ?? undefined };
    const enveloped = engine.getEnveloped({ exchange, params });
    const document = enveloped.parse(payload.query);
    const errors = enveloped.validate(enveloped.schema, document);
    if (errors.length > 0) throw new AggregateError(errors);
    // graphql-ws would answer it itself, and never say that the operation has ended.
    if (getOperationAST(document, payload.operationName) === null) {
      const message =
        "The document has several operations, or none of this name: operationName must name one.";
      throw clientError("OPERATION_RESOLUTION_FAILURE", message);
    }
    if (parameters.actor != null && typeof parameters.actor !== "string") {
      throw clientError("BAD_USER_INPUT", "The connection parameter actor must be a string.");
    }
    const args: ExecutionArgs = {
      schema: enveloped.schema,
      document,
      operationName: payload.operationName,
      variableValues: payload.variables,
      contextValue: await enveloped.contextFactory(),
    };
    prepared.set(args, enveloped);
    return args;
  }

  function envelopedFor(args: ExecutionArgs): Enveloped {
    const enveloped = prepared.get(args);
    if (!enveloped) throw new Error("an operation was run that was not prepared");
    return enveloped;
  }

  function end(extra: SocketExtra, id: string): void {
    const operation = extra.operations.get(id);
    if (!operation) return;
    extra.operations.delete(id);
    operation.release();
    log.info({ ...summarise(operation.exchange), transport: "websocket" }, "operation");
  }
}

function actorOf({ actor }: Parameters): string | null {
  return typeof actor === "string" ? actor : null;
}

function clientError(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

/** Ends a stream with an error frame at the first result that has failed as a whole. */
function untilFailure(
  results: AsyncIterableIterator<ExecutionResult>,
): AsyncIterableIterator<ExecutionResult> {
  return {
    async next() {
      const step = await results.next();
      if (step.done || !hasFailed(step.value)) return step;
      await results.return?.();
      throw new AggregateError(step.value.errors ?? []);
    },
    async return() {
      await results.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** A stream that fails at once: graphql-ws answers it, unlike a bare result, with an error frame. */
function failing(errors: readonly GraphQLError[]): AsyncIterableIterator<ExecutionResult> {
  return {
    next: () => Promise.reject(new AggregateError(errors)),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The GraphQL errors in whatever was thrown, also through graphql-ws's wrapping. */
function errorsOf(thrown: unknown): readonly GraphQLError[] {
  if (thrown instanceof GraphQLError) {
    return thrown.originalError instanceof AggregateError ? errorsOf(thrown.originalError) : [thrown];
  }
  if (thrown instanceof AggregateError) return thrown.errors.flatMap(errorsOf);
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return [new GraphQLError(error.message, { originalError: error })];
}
