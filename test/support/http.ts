/** Clients for tests: the server on a free port, and what talks to it over HTTP, SSE and WebSocket. */
import { once } from "node:events";
import { request } from "node:http";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { GraphQLSchema } from "graphql";
import { pino } from "pino";
import WebSocket from "ws";
import { type Config, readConfig } from "../../src/config.js";
import { type HttpOptions, type HttpServer, startHttp } from "../../src/http/server.js";

/** A config as from an environment that gives only these variables, on any free port. */
export function configOf(environment: Record<string, string> = {}): Config {
  const config = readConfig({ PORT: "0", LOG_LEVEL: "debug", ...environment });
  if ("faults" in config) throw new Error(JSON.stringify(config.faults));
  return config;
}

export interface TestServer extends HttpServer {
  /** The endpoint of the API. */
  readonly endpoint: string;
  /** The parsed lines of the log, as they are written. */
  readonly lines: Record<string, unknown>[];
}

export interface TestServerOptions extends Partial<Omit<HttpOptions, "schema" | "config" | "log">> {
  readonly environment?: Record<string, string>;
}

/** Starts the HTTP room over any schema; end it with `stop`. */
export async function startTestServer(
  schema: GraphQLSchema,
  { environment, ...options }: TestServerOptions = {},
): Promise<TestServer> {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: "debug" },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    }),
  );
  const server = await startHttp({
    config: configOf(environment),
    schema,
    context: (facts) => ({ ...facts }),
    ready: async () => true,
    playground: { title: "Test", tabs: [] },
    keepAliveMs: 300,
    metrics: { contentType: "text/plain", text: async () => "", socketClosed: () => {} },
    ...options,
    log,
  });
  return { ...server, endpoint: `${server.url}/graphql`, lines };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    data?: Record<string, unknown> | null;
    errors?: { message: string; path?: unknown; extensions: Record<string, unknown> }[];
  };
}

/** Sends an operation as JSON. */
export async function post(
  endpoint: string,
  operation: { query: string; variables?: object; operationName?: string } | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = typeof operation === "string" ? operation : JSON.stringify(operation);
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  return answerOf(response);
}

export async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

/** Sends exactly these headers, also those that `fetch` keeps for itself. */
export async function send(
  url: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  const sent = request(url, { method, headers, agent: false });
  sent.end(body);
  const [response] = await once(sent, "response");
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

export interface ServerSentEvent {
  readonly event: string;
  /** Null where the event carries none. */
  readonly id: string | null;
  /** Null where the event carries none. */
  readonly data: { data?: Record<string, unknown>; errors?: Answer["body"]["errors"] } | null;
}

export interface EventStream {
  readonly response: Response;
  /** The next event, or null when the server has ended the stream. */
  next(): Promise<ServerSentEvent | null>;
  /** How many keep-alive comments have come so far. */
  comments(): number;
  /** Drops the connection without a word. */
  drop(): void;
}

/** Runs an operation over Server-Sent Events. */
export async function openEvents(
  endpoint: string,
  operation: { query: string; variables?: object },
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const dropping = new AbortController();
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
    body: JSON.stringify(operation),
    signal: dropping.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  let comments = 0;
  return {
    response,
    comments: () => comments,
    drop: () => dropping.abort(),
    async next() {
      for (;;) {
        const end = buffer.indexOf("\n\n");
        if (end >= 0) {
          const block = buffer.slice(0, end);
          buffer = buffer.slice(end + 2);
          if (block.startsWith(":")) comments += 1;
          else return eventOf(block);
          continue;
        }
        const step = await reader?.read();
        if (!step || step.done) return null;
        buffer += step.value;
      }
    },
  };
}

function eventOf(block: string): ServerSentEvent {
  const fields = new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const data = fields.get("data");
  return {
    event: fields.get("event") ?? "message",
    id: fields.get("id") ?? null,
    data: data ? JSON.parse(data) : null,
  };
}

export interface Frame {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

export interface SocketClient {
  readonly socket: WebSocket;
  send(frame: object): void;
  /** The next frame, in the order of arrival; rejects if the socket closes first. */
  next(): Promise<Frame>;
  /** Resolves when the socket has closed. */
  readonly closed: Promise<{ code: number; reason: string }>;
}

/** Opens a graphql-transport-ws connection and waits for its acknowledgement. */
export async function openSocket(
  endpoint: string,
  parameters: object = {},
  options: WebSocket.ClientOptions = {},
): Promise<SocketClient> {
  const socket = new WebSocket(endpoint.replace(/^http/, "ws"), "graphql-transport-ws", options);
  const frames: Frame[] = [];
  let wake = () => {};
  let isClosed = false;
  socket.on("message", (data) => {
    frames.push(JSON.parse(String(data)));
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once("close", (code, reason) => {
      isClosed = true;
      wake();
      resolve({ code, reason: String(reason) });
    });
  });
  const client: SocketClient = {
    socket,
    closed,
    send: (frame) => socket.send(JSON.stringify(frame)),
    async next() {
      for (;;) {
        const frame = frames.shift();
        if (frame) return frame;
        if (isClosed) throw new Error("the socket closed before the frame that was waited for");
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
  await once(socket, "open");
  socket.on("error", () => {});
  client.send({ type: "connection_init", payload: parameters });
  await client.next();
  return client;
}

/** Resolves once `condition` holds; the test's own time limit is the only other end. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}
