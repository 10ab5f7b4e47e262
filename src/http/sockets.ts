/** The WebSocket transport: takes upgraded connections, keeps them alive, and closes them. */
import { setMaxListeners } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { handleProtocols, makeServer } from "graphql-ws";
import { type WebSocket, WebSocketServer } from "ws";
import type { Config } from "../config.js";
import { CLOSE_CODES } from "./close-codes.js";
import type { HttpRefusal } from "./guard.js";
import type { InFlight } from "./inflight.js";
import type { Log } from "./log.js";
import { refusalBody } from "./respond.js";
import { type SocketExtra, socketOperations } from "./socket-operations.js";
import type { Engine } from "./yoga.js";

/** A client that has not answered one ping when the next is due is gone. */
const PING_INTERVAL_MS = 12_000;
/** How long a client that reads slowly, or not at all, has to learn why its socket is closed. */
const CLOSING_MS = 5_000;

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
  const protocol = makeServer(
    socketOperations({ engine, inFlight, stopping, log, maxOperations: limits.maxOperationsPerSocket }),
  );
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.maxFrameBytes,
    handleProtocols,
  });
  const answering = new WeakSet<WebSocket>();
  const pings = setInterval(() => {
    for (const socket of sockets.clients) {
      if (!answering.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, PING_INTERVAL_MS);
  pings.unref();

  return {
    get count() {
      return sockets.clients.size;
    },
    accept(request, socket, head) {
      sockets.handleUpgrade(request, socket, head, (opened) => serve(opened, request));
    },
    async close() {
      clearInterval(pings);
      const closed = [...sockets.clients].map(
        (socket) => new Promise<void>((resolve) => socket.once("close", () => resolve())),
      );
      for (const socket of sockets.clients)
        socket.close(CLOSE_CODES.GOING_AWAY, "The server is shutting down");
      await Promise.all(closed);
    },
    terminate() {
      for (const socket of sockets.clients) socket.terminate();
    },
  };

  function serve(socket: WebSocket, request: IncomingMessage): void {
    const gone = new AbortController();
    setMaxListeners(0, gone.signal);
    const actor = request.headers["x-phaseline-actor"];
    const extra: SocketExtra = {
      actor: typeof actor === "string" ? actor : null,
      closed: gone.signal,
      operations: new Map(),
    };
    answering.add(socket);
    socket.on("pong", () => answering.add(socket));
    socket.on("error", (error) => log.debug({ err: error }, "a WebSocket failed"));
    const ended = new Promise<void>((resolve) => socket.once("close", () => setImmediate(resolve)));
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send(text) {
          if (socket.readyState === socket.OPEN && socket.bufferedAmount > limits.maxUnsentBytes) giveUp();
          return send(socket, text, ended);
        },
        close: (code, reason) => socket.close(code, reason),
        // What still comes on a closing socket is no concern of anybody's, and its answer would stay in memory.
        onMessage: (handle) =>
          socket.on("message", (data) => {
            if (socket.readyState === socket.OPEN) void handle(String(data)).catch(fail);
          }),
      },
      extra,
    );
    socket.once("close", (code, reason) => {
      gone.abort();
      onClose(code);
      closed(code, String(reason)).catch((error) =>
        log.error({ err: error }, "a WebSocket was not left in order"),
      );
    });

    function giveUp(): void {
      log.info(
        { unsentBytes: socket.bufferedAmount },
        "a WebSocket is closed, since its client does not read",
      );
      socket.close(CLOSE_CODES.TOO_MUCH_UNREAD, "Too much is unread: resume from your last cursor");
      setTimeout(() => socket.terminate(), CLOSING_MS).unref();
    }

    function fail(error: unknown): void {
      log.error({ err: error }, "a WebSocket message could not be handled");
      socket.close(CLOSE_CODES.INTERNAL_ERROR, "Internal server error");
    }
  }
}

/**
 * Resolves when the text has left the process, so that a feed is read no faster than its client reads; on a
 * socket that is closing only when it has closed and its feeds have ended, since they would else run on idle.
 */
async function send(socket: WebSocket, text: string, closed: Promise<void>): Promise<void> {
  if (socket.readyState !== socket.OPEN) return closed;
  const error = await new Promise<Error | null | undefined>((resolve) => socket.send(text, resolve));
  if (error) await closed;
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
