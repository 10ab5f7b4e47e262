/**
 * The HTTP server: listens, turns strangers away, routes to the API, the playground and the probes, and
 * stops in order. What each of these does stands in its own file beside this one.
 */
import { once, setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { discardBody } from "./body.js";
import { allowOrigin, answerPreflight } from "./cors.js";
import { DocumentCache } from "./document-cache.js";
import { opensPage, type RequestFacts, refuseStrangers } from "./guard.js";
import { InFlight } from "./inflight.js";
import { OperationRequests } from "./operation-requests.js";
import { asksForWebSocket, serveWithoutUpgrade } from "./other-upgrades.js";
import { plainOperations } from "./plain-operations.js";
import { createPlayground, type Playground } from "./playground.js";
import { createProbes, type Ready } from "./probes.js";
import { failed, type HttpRefusal, notFound, shuttingDown, tooManyConnections } from "./refusals.js";
import { send, sendRefusal } from "./respond.js";
import { openSockets, refuseUpgrade } from "./sockets.js";
import { createEngine, type EngineOptions, GRAPHQL_PATH } from "./yoga.js";

export interface HttpOptions extends EngineOptions {
  /** Asked for each `/ready`. */
  readonly ready: Ready;
  readonly playground: Playground;
  readonly metrics: HttpMetrics;
}

/** What is shown at `/metrics`, and what this room adds to it. */
export interface HttpMetrics {
  readonly contentType: string;
  text(): Promise<string>;
  socketClosed(code: number): void;
}

export interface HttpServer {
  /** Where a client on this machine reaches it, without a path. */
  readonly url: string;
  readonly port: number;
  /**
   * Takes nothing new, lets queries and mutations finish, ends streams without `complete` and sockets with
   * 1001 (their clients resume from their cursors), and within the grace period closes whatever is left.
   */
  stop(): Promise<void>;
}

/**
 * How long a connection may wait for its next request, in milliseconds. Proxies keep theirs for up to a minute, and
 * send a request into one that was just closed here: the longer end must be this one.
 */
const IDLE_CONNECTION_MS = 65_000;
/** How long a request may take to come, in milliseconds: what has come of it is held. */
const WHOLE_REQUEST_MS = 60_000;
/** How long the clients of feeds have to take part in the end of their connections, in milliseconds. */
const FAREWELL_MS = 1_000;

/** Starts to listen. Rejects if the address can't be listened on. */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const { config, log } = options;
  const parsed = new DocumentCache();
  const engine = createEngine(options, parsed);
  const probes = createProbes(options.ready);
  const showPlayground = createPlayground(options.playground);
  // Stopping has two steps: no new work; then, once the work is done, no more streams and sockets.
  const stopping = new AbortController();
  const ending = new AbortController();
  const work = new InFlight();
  const answers = new InFlight();
  setMaxListeners(0, ending.signal);
  const sockets = openSockets({
    engine,
    limits: config.http,
    onClose: options.metrics.socketClosed,
    inFlight: work,
    stopping: stopping.signal,
    log,
  });
  const streams = new Set<ServerResponse>();
  const upgraded = new Set<Duplex>();
  const operations = new OperationRequests({
    engine,
    plain: plainOperations(options, parsed),
    log,
    maxBodyBytes: config.http.maxBodyBytes,
    work,
    stopping: stopping.signal,
    ending: ending.signal,
    takePlace,
  });
  const allowed = { host: config.host, ...config.http };

  const timeouts = { keepAliveTimeout: IDLE_CONNECTION_MS, requestTimeout: WHOLE_REQUEST_MS };
  const server = createServer(timeouts, (request, response) => {
    response.once("close", answers.begin());
    route(request, response).catch((error) => fail(error, response));
  });
  server.on("upgrade", (request, socket, head) => upgrade(request, socket, head));
  server.listen(config.port, config.host);
  await once(server, "listening").catch(async (error) => {
    await sockets.close();
    throw error;
  });
  // One of them may be that a client could not be let in; without a listener it would end the process.
  server.on("error", (error) => log.error({ err: error }, "the HTTP server had a failure"));
  const { port } = server.address() as AddressInfo;

  let stopped: Promise<void> | undefined;
  return {
    url: `http://${hostForClients(config.host)}:${port}`,
    port,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const facts = factsOf(request);
    const path = facts.url.pathname;
    if (path === "/health") return probes.health(response);
    if (path === "/ready") {
      return stopping.signal.aborted ? sendRefusal(response, shuttingDown) : probes.ready(response);
    }
    const stranger = refuseStrangers(facts, allowed);
    if (stranger) return turnAway(request, response, stranger);
    if (path === "/metrics")
      return send(response, 200, options.metrics.contentType, await options.metrics.text());
    allowOrigin(request, response);
    if (path === "/" && request.method === "GET") {
      response.writeHead(302, { location: GRAPHQL_PATH }).end();
      return;
    }
    if (path !== GRAPHQL_PATH) return turnAway(request, response, notFound);
    if (request.method === "OPTIONS") return answerPreflight(request, response);
    if (opensPage(facts)) return showPlayground(response);
    await operations.serve(request, response, facts);
  }

  /** Whether as many clients hold a connection for feeds, sockets and event streams together, as may. */
  function isFull(): boolean {
    return sockets.count + streams.size >= config.http.maxConnections;
  }

  /** Counts an event stream from before it is there, so that of many at once no more come in than may. */
  function takePlace(response: ServerResponse): HttpRefusal | null {
    if (isFull()) return tooManyConnections;
    if (response.destroyed) return null;
    streams.add(response);
    response.once("close", () => streams.delete(response));
    return null;
  }

  function turnAway(request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal) {
    const { status, code } = refusal;
    log.info({ method: request.method, status, errorCodes: [code] }, "request refused");
    sendRefusal(response, refusal);
    discardBody(request);
  }

  /** A failure outside of any operation, where there is no answer left to give but that it failed. */
  function fail(error: unknown, response: ServerResponse): void {
    if (response.destroyed) return;
    log.error({ err: error }, "a request could not be handled");
    if (response.headersSent) response.destroy();
    else sendRefusal(response, failed);
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!asksForWebSocket(request)) {
      serveWithoutUpgrade(server, request, socket, head);
      return;
    }
    // Node's server forgets them.
    upgraded.add(socket);
    socket.on("close", forget);
    const facts = factsOf(request);
    const refusal =
      refuseStrangers(facts, allowed) ??
      (stopping.signal.aborted ? shuttingDown : null) ??
      (facts.url.pathname === GRAPHQL_PATH ? null : notFound) ??
      (isFull() ? tooManyConnections : null);
    if (refusal) refuseUpgrade(socket, refusal);
    else sockets.accept(request, socket, head);
  }

  function forget(this: Duplex): void {
    upgraded.delete(this);
  }

  async function stop(): Promise<void> {
    stopping.abort();
    const closed = once(server, "close");
    server.close();
    let timer: NodeJS.Timeout | undefined;
    const graceEnded = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, config.http.shutdownGraceMs);
    });
    await Promise.race([work.idle(), graceEnded]);
    ending.abort();
    const socketsClosed = sockets.close();
    const farewellEnded = setTimeout(dropFeeds, FAREWELL_MS);
    await Promise.race([Promise.all([answers.idle(), socketsClosed]), graceEnded]);
    clearTimeout(timer);
    clearTimeout(farewellEnded);
    dropFeeds();
    for (const socket of upgraded) socket.destroy();
    server.closeAllConnections();
    await Promise.all([closed, socketsClosed]);
  }

  function dropFeeds(): void {
    sockets.terminate();
    for (const response of streams) response.destroy();
  }
}

function factsOf(request: IncomingMessage): RequestFacts {
  return {
    method: request.method ?? "GET",
    // The host is the guard's to look at; only the path and the query are read off the URL.
    url: new URL(`http://localhost${request.url?.startsWith("/") ? request.url : "/"}`),
    headers: request.headers,
    get localAddress() {
      return request.socket.localAddress;
    },
  };
}

function hostForClients(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
