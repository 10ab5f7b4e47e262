/**
 * Decides what a client may read of an error. The client's own mistakes, and errors that were thrown for it
 * with a code, pass; everything else is a failure of the server: it goes whole into the log, and the client
 * gets a sentence with the id under which to find it.
 */
import { type ExecutionResult, GraphQLError, Kind } from "graphql";
import { writeJson } from "../json-writing.js";
import type { Exchange } from "./exchange.js";
import type { Log } from "./log.js";

const INTERNAL_SERVER_ERROR = "INTERNAL_SERVER_ERROR";
const ANSWER_TOO_LARGE = "ANSWER_TOO_LARGE";
const FAILED = "The server failed to answer; its log has the reason under this request id.";
const TOO_LONG = "The answer is larger than one can be: ask for less at once.";
const SUCCEEDED = "The command succeeded, but its answer did not. ";

/**
 * The errors as the client gets them, each with a string `extensions.code`; notes the codes on the exchange. Of an
 * operation whose commands have changed something, `extensions.succeeded` names their fields: the data may be gone.
 */
export function presentErrors(
  errors: readonly GraphQLError[],
  exchange: Exchange,
  log: Log,
): readonly GraphQLError[] {
  return errors.map((error) => {
    const tooLong = isTooLong(error.originalError);
    const code = tooLong ? ANSWER_TOO_LARGE : codeForClient(error);
    const { succeeded } = exchange;
    const done = succeeded.length > 0 ? { succeeded } : {};
    const preface = succeeded.includes(String(error.path?.[0])) ? SUCCEEDED : "";
    exchange.errorCodes.add(code ?? INTERNAL_SERVER_ERROR);
    if (code !== null) {
      const message = preface + cut(tooLong ? TOO_LONG : error.message);
      return new GraphQLError(message, { ...place(error), extensions: { ...open(error, code), ...done } });
    }
    log.error(
      { requestId: exchange.requestId, path: error.path, err: error.originalError ?? error },
      "operation failed",
    );
    return new GraphQLError(preface + FAILED, {
      ...place(error),
      extensions: { code: INTERNAL_SERVER_ERROR, requestId: exchange.requestId, ...done },
    });
  });
}

/** The text of an answer; of one that is longer than a text can be, that of an error that says so. */
export function answerText(write: () => string, exchange: Exchange, log: Log): string {
  try {
    return write();
  } catch (error) {
    if (!isTooLong(error)) throw error;
    const tooLong = new GraphQLError(TOO_LONG, { originalError: error });
    return writeJson({ errors: presentErrors([tooLong], exchange, log), data: null });
  }
}

/**
 * Whether a result holds nothing but errors. In a feed it stands for something that the client did not get, so
 * the feed ends with it: a client that came by the next item would never know what it missed.
 */
export function hasFailed(result: ExecutionResult): boolean {
  return result.data == null && result.errors !== undefined;
}

/** The HTTP status of an answer that has no data: the gravest of its errors. */
export function statusOf(presented: readonly GraphQLError[], raised: readonly GraphQLError[]): number {
  if (presented.some((error) => error.extensions.code === INTERNAL_SERVER_ERROR)) return 500;
  const named = raised
    .map((error) => httpExtensions(error)?.status)
    .filter((status) => typeof status === "number");
  return Math.max(400, ...named);
}

/** The code under which an error passes to the client, or null for a failure of the server. */
function codeForClient(error: GraphQLError): string | null {
  const { code } = error.extensions;
  if (code === "GRAPHQL_PARSE_FAILED" || code === "GRAPHQL_VALIDATION_FAILED") return code;
  // A scalar may refuse a variable by throwing any error; its message is still about the client's value.
  const kind = error.nodes?.[0]?.kind;
  if (kind === Kind.VARIABLE_DEFINITION) return typeof code === "string" ? code : "BAD_USER_INPUT";
  if (!wasThrownForClients(error) || error.extensions.unexpected === true) return null;
  if (typeof code === "string") return code;
  if (httpExtensions(error) !== undefined) return "BAD_REQUEST";
  // An argument or a directive whose value turned out wrong during execution; a field's own error names the field.
  if (kind !== undefined && kind !== Kind.FIELD && kind !== Kind.OPERATION_DEFINITION)
    return "BAD_USER_INPUT";
  return error.source !== undefined && error.path === undefined && kind === undefined
    ? "GRAPHQL_PARSE_FAILED"
    : null;
}

/** A message that shows a value of the client's may be as long as that value, and there may be many of them. */
function cut(message: string): string {
  if (message.length <= LONGEST_MESSAGE) return message;
  const half = LONGEST_MESSAGE / 2;
  return `${message.slice(0, half)} … ${message.slice(-half)}`;
}

const LONGEST_MESSAGE = 1_000;

/** Whether a text would have been longer than the longest that there is. */
function isTooLong(error: unknown): error is RangeError {
  return error instanceof RangeError && error.message === "Invalid string length";
}

function wasThrownForClients(error: Error): boolean {
  if (!(error instanceof GraphQLError)) return false;
  return error.originalError == null || wasThrownForClients(error.originalError);
}

function httpExtensions(error: GraphQLError): { status?: unknown } | undefined {
  const { http } = error.extensions;
  return typeof http === "object" && http !== null ? http : undefined;
}

function place(error: GraphQLError) {
  const { nodes, source, positions, path } = error;
  return { nodes, source, positions, path };
}

function open(error: GraphQLError, code: string) {
  const { http, unexpected, originalError, ...rest } = error.extensions;
  return { ...rest, code };
}
