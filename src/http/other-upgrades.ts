/**
 * Requests that would rather go on in another protocol than WebSocket, such as HTTP/2. A server may pass over the
 * wish and answer as ever (RFC 9110, 7.8), but Node hands over every connection with such a request once one
 * protocol is served, so here it is given back without the wish.
 */
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** Whether a request with the header Upgrade is for this server to upgrade. */
export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.trim().toLowerCase() === "websocket";
}

/** Lets the server read the request once more, without its upgrade; `head` is what came behind its headers. */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? "";
    const value = request.rawHeaders[at + 1] ?? "";
    if (name.toLowerCase() === "connection") lines.push(`${name}: ${withoutUpgrade(value) || "keep-alive"}`);
    else if (!DROPPED.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}

const DROPPED: ReadonlySet<string> = new Set(["upgrade", "http2-settings"]);

function withoutUpgrade(connection: string): string {
  const options = connection.split(",").map((option) => option.trim());
  return options.filter((option) => !DROPPED.has(option.toLowerCase())).join(", ");
}
