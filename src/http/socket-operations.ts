/**
 * The operations of WebSocket clients: runs them through the engine, so that limits, errors and log lines are those
 * of HTTP. Subscriptions that ask the same share their answers. The sockets themselves are `sockets.ts`'s.
 */
import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST } from "graphql";
import type { SubscribeMessage, SubscribePayload } from "graphql-ws";
import { answerKey } from "./answer-key.js";
import type { Operation } from "./client-operations.js";
import { CLOSE_CODES } from "./close-codes.js";
import { type Exchange, openExchange, summarise } from "./exchange.js";
import { presentErrors } from "./failures.js";
import type { InFlight } from "./inflight.js";
import type { Log } from "./log.js";
import { SharedAnswers } from "./shared-answers.js";
import type { SocketClient } from "./socket-client.js";
import { completeMessage, errorMessage, nextMessage } from "./socket-messages.js";
import { type Office, Subscriber } from "./subscriber.js";
import type { Engine } from "./yoga.js";

type Enveloped = ReturnType<Engine["getEnveloped"]>;

/** An operation that may run. */
interface Prepared extends Pick<Enveloped, "execute" | "subscribe"> {
  readonly args: ExecutionArgs;
}

interface SocketOperationsOptions {
  readonly engine: Engine;
  readonly inFlight: InFlight;
  readonly stopping: AbortSignal;
  readonly log: Log;
  /** How many operations may run on one socket at once. */
  readonly maxOperations: number;
}

export interface SocketOperations {
  /** Runs an operation and sends what comes of it; closes the socket where an operation of the same id runs. */
  begin(client: SocketClient, message: SubscribeMessage): void;
}

/** An operation that is prepared or runs, but follows nothing yet. */
class Beginning implements Operation {
  isLeft = false;

  leave(): void {
    this.isLeft = true;
  }
}

export function socketOperations({
  engine,
  inFlight,
  stopping,
  log,
  maxOperations,
}: SocketOperationsOptions): SocketOperations {
  const answers = new SharedAnswers();
  const office: Office = {
    present: (errors, exchange) => presentErrors(errors.flatMap(errorsOf), exchange, log),
    ended(client, id, exchange) {
      client.operations.delete(id);
      log.info({ ...summarise(exchange), transport: "websocket" }, "operation");
    },
    failed: (error) => log.error({ err: error }, "a subscription was not left in order"),
  };

  return {
    begin(client, { id, payload }) {
      const running = client.operations.get(id);
      if (running !== null && !running.isLeft) {
        client.close(CLOSE_CODES.SUBSCRIBER_ALREADY_EXISTS, "An operation of this id runs already");
        return;
      }
      const exchange = openExchange("websocket", textOrNull(client.actor));
      // Two operations of one id would mix up their frames while the first is still winding up.
      const refusal = refuse(client, running !== null);
      if (refusal) {
        client.post(errorMessage(id, office.present([refusal], exchange)));
        return;
      }
      const operation = new Beginning();
      client.operations.set(id, operation);
      run(client, id, payload, exchange, operation).catch((error) => {
        log.error({ err: error }, "a WebSocket message could not be handled");
        client.close(CLOSE_CODES.INTERNAL_ERROR, "Internal server error");
      });
    },
  };

  function refuse({ operations }: SocketClient, isIdInUse: boolean): GraphQLError | null {
    if (stopping.aborted) return clientError("SERVICE_UNAVAILABLE", "The server is shutting down.");
    if (isIdInUse) return clientError("OPERATION_ID_IN_USE", "The operation of this id has not ended yet.");
    if (operations.size < maxOperations) return null;
    const message = `At most ${maxOperations} operations run on one connection at once. It is set by PHASELINE_MAX_OPERATIONS_PER_SOCKET.`;
    return clientError("TOO_MANY_OPERATIONS", message);
  }

  async function run(
    client: SocketClient,
    id: string,
    payload: SubscribePayload,
    exchange: Exchange,
    operation: Beginning,
  ): Promise<void> {
    // Also where the client leaves meanwhile: a mutation runs on all the same.
    const release = inFlight.begin();
    try {
      const prepared = await prepare(payload, exchange, client);
      if (exchange.kind === "subscription") {
        // A subscription ends when the server does; it is not waited for.
        release();
        await follow(client, id, payload, exchange, operation, prepared);
      } else {
        await answer(client, id, exchange, operation, prepared);
      }
    } catch (error) {
      const errors = office.present([error], exchange);
      office.ended(client, id, exchange);
      if (!operation.isLeft) await client.send(errorMessage(id, errors));
    } finally {
      release();
    }
  }

  async function answer(
    client: SocketClient,
    id: string,
    exchange: Exchange,
    operation: Beginning,
    { args, execute }: Prepared,
  ): Promise<void> {
    const result = await execute(args);
    if (!("data" in result)) throw new AggregateError(result.errors ?? []);
    const errors = result.errors && office.present(result.errors, exchange);
    if (!operation.isLeft) client.post(nextMessage(id, { ...result, errors }));
    office.ended(client, id, exchange);
    if (!operation.isLeft) await client.send(completeMessage(id));
  }

  async function follow(
    client: SocketClient,
    id: string,
    payload: SubscribePayload,
    exchange: Exchange,
    operation: Beginning,
    { args, subscribe }: Prepared,
  ): Promise<void> {
    const items: ExecutionResult | AsyncIterableIterator<unknown> = await subscribe(args);
    if (!(Symbol.asyncIterator in items)) throw new AggregateError(items.errors ?? []);
    if (operation.isLeft) {
      await items.return?.();
      office.ended(client, id, exchange);
      return;
    }
    const audience = answers.join(answerKey(payload, args.document), () => ({
      args,
      context: () => sharedContext(payload),
    }));
    const subscriber = new Subscriber({ office, client, id, exchange, items, audience });
    client.operations.set(id, subscriber);
    subscriber.wake();
  }

  /** The context of answers that are nobody's own. */
  async function sharedContext(payload: SubscribePayload): Promise<unknown> {
    const exchange = openExchange("websocket", null);
    return engine.getEnveloped({ exchange, params: paramsOf(payload) }).contextFactory();
  }

  async function prepare(
    payload: SubscribePayload,
    exchange: Exchange,
    client: SocketClient,
  ): Promise<Prepared> {
    const { schema, parse, validate, contextFactory, execute, subscribe } = engine.getEnveloped({
      exchange,
      params: paramsOf(payload),
    });
    const document = parse(payload.query);
    const errors = validate(schema, document);
    if (errors.length > 0) throw new AggregateError(errors);
    if (getOperationAST(document, payload.operationName) === null) {
      const message =
        "The document has several operations, or none of this name: operationName must name one.";
      throw clientError("OPERATION_RESOLUTION_FAILURE", message);
    }
    if (client.actor !== null && typeof client.actor !== "string") {
      throw clientError("BAD_USER_INPUT", "The connection parameter actor must be a string.");
    }
    const args: ExecutionArgs = {
      schema,
      document,
      operationName: payload.operationName,
      variableValues: payload.variables,
      contextValue: await contextFactory(),
    };
    return { args, execute, subscribe };
  }
}

function paramsOf(payload: SubscribePayload) {
  return { ...payload, variables: payload.variables ?? undefined };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function clientError(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

/** The GraphQL errors in whatever was thrown. */
function errorsOf(thrown: unknown): readonly GraphQLError[] {
  if (thrown instanceof GraphQLError) return [thrown];
  if (thrown instanceof AggregateError) return thrown.errors.flatMap(errorsOf);
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return [new GraphQLError(error.message, { originalError: error })];
}
