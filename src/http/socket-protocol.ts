/**
 * The protocol graphql-transport-ws, the server's side: what a client may say when, and what a socket is closed with
 * where it says something else. The operations themselves are run by `socket-operations.ts`.
 */
import { type ConnectionInitMessage, type Message, MessageType, parseMessage } from "graphql-ws";
import { CLOSE_CODES } from "./close-codes.js";
import type { SocketClient } from "./socket-client.js";
import type { SocketOperations } from "./socket-operations.js";

/** How long a client may take to introduce itself. */
const INTRODUCTION_MS = 10_000;

/** Closes the socket of a client that does not introduce itself in time. */
export function expectIntroduction(client: SocketClient): void {
  client.introduction = setTimeout(
    () => client.close(CLOSE_CODES.CONNECTION_INIT_TIMEOUT, "Connection initialisation timeout"),
    INTRODUCTION_MS,
  );
}

/** Does what a message asks for. */
export function hear(client: SocketClient, text: string, operations: SocketOperations): void {
  let message: Message;
  try {
    message = parseMessage(text);
  } catch {
    client.close(CLOSE_CODES.BAD_REQUEST, "Invalid message received");
    return;
  }
  switch (message.type) {
    case MessageType.ConnectionInit:
      meet(client, message);
      break;
    case MessageType.Ping: {
      const { payload } = message;
      client.post(JSON.stringify(payload ? { type: "pong", payload } : { type: "pong" }));
      break;
    }
    case MessageType.Pong:
      break;
    case MessageType.Subscribe:
      if (client.introduction === null) operations.begin(client, message);
      else client.close(CLOSE_CODES.UNAUTHORIZED, "Unauthorized");
      break;
    case MessageType.Complete:
      client.operations.get(message.id)?.leave();
      break;
    default:
      // One that only servers send.
      client.close(CLOSE_CODES.BAD_REQUEST, "Invalid message received");
  }
}

function meet(client: SocketClient, { payload }: ConnectionInitMessage): void {
  if (client.introduction === null) {
    client.close(CLOSE_CODES.TOO_MANY_INIT_REQUESTS, "Too many initialisation requests");
    return;
  }
  clearTimeout(client.introduction);
  client.introduction = null;
  client.actor = payload?.actor ?? client.actor;
  client.post('{"type":"connection_ack"}');
}
