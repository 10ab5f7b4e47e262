/** The WebSocket transport: takes upgraded connections, keeps them alive, and closes them. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { GRAPHQL_TRANSPORT_WS_PROTOCOL, handleProtocols } from "graphql-ws";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import type { Config } from "../config.js";
import { CLOSE_CODES } from "./close-codes.js";
import type { InFlight } from "./inflight.js";
import type { Log } from "./log.js";
import type { HttpRefusal } from "./refusals.js";
import { refusalBody } from "./respond.js";
import { Outbox, SocketClient } from "./socket-client.js";
import { socketOperations } from "./socket-operations.js";
import { expectIntroduction, hear } from "./socket-protocol.js";
import type { Engine } from "./yoga.js";

/** A client that has not answered one ping when the next is due is gone. */
const PING_INTERVAL_MS = 12_000;

interface SocketOptions {
  readonly engine: Engine;
  readonly limits: Config["http"];
  /** Told of each socket that has closed. */
  readonly onClose: (code: number) => void;
  readonly inFlight: InFlight;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

interface Sockets {
  /** How many are open. */
  readonly count: number;
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every socket with 1001 and resolves when they are closed. */
  close(): Promise<void>;
  /** Drops those that do not take part in closing. */
  terminate(): void;
}

export function openSockets({ engine, limits, onClose, inFlight, stopping, log }: SocketOptions): Sockets {
  const operations = socketOperations({
    engine,
    inFlight,
    stopping,
    log,
    maxOperations: limits.maxOperationsPerSocket,
  });
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.maxFrameBytes,
    handleProtocols,
    WebSocket: ClientSocket,
  });
  const outbox = new Outbox(limits.maxUnsentBytes, log);
  const clients = new Set<SocketClient>();
  let onEmpty: (() => void) | null = null;
  const pings = setInterval(() => {
    for (const client of clients) {
      if (client.isAlive) client.ping();
      else client.terminate();
    }
  }, PING_INTERVAL_MS);
  pings.unref();

  return {
    get count() {
      return clients.size;
    },
    accept(request, stream, head) {
      const actor = request.headers["x-phaseline-actor"];
      server.handleUpgrade(request, stream, head, (socket) =>
        serve(socket, request.socket, typeof actor === "string" ? actor : null),
      );
    },
    async close() {
      clearInterval(pings);
      const closed = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      for (const client of clients) client.close(CLOSE_CODES.GOING_AWAY, "The server is shutting down");
      if (clients.size > 0) await closed;
    },
    terminate() {
      for (const client of clients) client.terminate();
    },
  };

  function serve(socket: ClientSocket, stream: Socket, actor: string | null): void {
    const client = new SocketClient(socket, stream, actor, outbox);
    socket.client = client;
    clients.add(client);
    socket.on("error", noteFailure);
    socket.on("close", leave);
    if (socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL) {
      client.close(CLOSE_CODES.SUBPROTOCOL_NOT_ACCEPTABLE, "Subprotocol not acceptable");
      return;
    }
    expectIntroduction(client);
    socket.on("message", receive);
  }

  function receive(this: WebSocket, data: RawData): void {
    const client = clientOf(this);
    // What still comes on a closing socket is no concern of anybody's, and its answer would stay in memory.
    if (!client.isOpen) return;
    try {
      hear(client, String(data), operations);
    } catch (error) {
      log.error({ err: error }, "a WebSocket message could not be handled");
      client.close(CLOSE_CODES.INTERNAL_ERROR, "Internal server error");
    }
  }

  function leave(this: WebSocket, code: number): void {
    const client = clientOf(this);
    clients.delete(client);
    client.hasClosed();
    onClose(code);
    if (clients.size === 0) onEmpty?.();
  }

  function noteFailure(error: Error): void {
    log.debug({ err: error }, "a WebSocket failed");
  }
}

/** Knows its client, so that the listeners of all sockets are the same few functions. */
class ClientSocket extends WebSocket {
  client: SocketClient | null = null;
}

function clientOf(socket: WebSocket): SocketClient {
  if (!(socket instanceof ClientSocket) || socket.client === null) throw new Error("A socket has no client.");
  return socket.client;
}

/** Answers an upgrade that is not wanted, in words. */
export function refuseUpgrade(socket: Duplex, refusal: HttpRefusal): void {
  const body = refusalBody(refusal);
  socket.on("error", () => {});
  // A client may keep its half of the connection open for ever.
  socket.once("finish", () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${refusal.code}`,
      "Connection: close",
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "",
      body,
    ].join("\r\n"),
  );
}
