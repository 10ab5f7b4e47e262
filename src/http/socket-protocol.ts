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

/** What comes from one client. */
export class Conversation {
  readonly #client: SocketClient;
  readonly #operations: SocketOperations;
  /** Runs until the client has introduced itself. */
  #introduction: NodeJS.Timeout | null;

  constructor(client: SocketClient, operations: SocketOperations) {
    this.#client = client;
    this.#operations = operations;
    this.#introduction = setTimeout(
      () => client.close(CLOSE_CODES.CONNECTION_INIT_TIMEOUT, "Connection initialisation timeout"),
      INTRODUCTION_MS,
    );
  }

  receive(text: string): void {
    let message: Message;
    try {
      message = parseMessage(text);
    } catch {
      this.#client.close(CLOSE_CODES.BAD_REQUEST, "Invalid message received");
      return;
    }
    switch (message.type) {
      case MessageType.ConnectionInit:
        this.#meet(message);
        break;
      case MessageType.Ping: {
        const { payload } = message;
        this.#client.post(JSON.stringify(payload ? { type: "pong", payload } : { type: "pong" }));
        break;
      }
      case MessageType.Pong:
        break;
      case MessageType.Subscribe:
        if (this.#introduction === null) this.#operations.begin(this.#client, message);
        else this.#client.close(CLOSE_CODES.UNAUTHORIZED, "Unauthorized");
        break;
      case MessageType.Complete:
        this.#client.operations.get(message.id)?.leave();
        break;
      default:
        // One that only servers send.
        this.#client.close(CLOSE_CODES.BAD_REQUEST, "Invalid message received");
    }
  }

  /** To be called when the socket has closed. */
  end(): void {
    if (this.#introduction !== null) clearTimeout(this.#introduction);
  }

  #meet({ payload }: ConnectionInitMessage): void {
    if (this.#introduction === null) {
      this.#client.close(CLOSE_CODES.TOO_MANY_INIT_REQUESTS, "Too many initialisation requests");
      return;
    }
    clearTimeout(this.#introduction);
    this.#introduction = null;
    this.#client.actor = payload?.actor ?? this.#client.actor;
    this.#client.post('{"type":"connection_ack"}');
  }
}
