/**
 * One WebSocket client: what is sent to it, and how much of that has left the process. What one turn of the event
 * loop sends to a client leaves in one write. What comes from it is read in `socket-protocol.ts`.
 */
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { ClientOperations } from "./client-operations.js";
import { CLOSE_CODES } from "./close-codes.js";
import type { Sleeper } from "./live-source.js";
import type { Log } from "./log.js";
import { textFrame } from "./socket-frames.js";

/** How long a client that reads slowly, or not at all, has to learn why its socket is closed. */
const CLOSING_MS = 5_000;
/** Up to here, copying the frames of one turn into one chunk is cheaper than handing them over one by one. */
const COPIED_BYTES = 64 * 1024;

export class SocketClient {
  readonly operations = new ClientOperations();
  /** The connection parameter `actor`, whatever it is; else the raw header of the upgrade request, or null. */
  actor: unknown;
  /** Runs until the client has introduced itself. */
  introduction: NodeJS.Timeout | null = null;
  readonly #socket: WebSocket;
  readonly #stream: Socket;
  readonly #outbox: Outbox;
  /** What is sent in this turn. */
  #frames: Buffer[] | null = null;
  #frameBytes = 0;
  /** Writes are numbered: how many there were, and which was the last that has left. */
  #written = 0;
  #left = 0;
  #waiting: Sleeper[] | null = null;
  /** How many bytes had come from it at the last ping. */
  #readAtPing = -1;

  constructor(socket: WebSocket, stream: Socket, actor: unknown, outbox: Outbox) {
    this.#socket = socket;
    this.#stream = stream;
    this.actor = actor;
    this.#outbox = outbox;
  }

  /** Whether anything has come since the last ping; what answers it, at least. */
  get isAlive(): boolean {
    return this.#stream.bytesRead > this.#readAtPing;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** The number of the write that takes what is sent now. */
  get nextWrite(): number {
    return this.#written + 1;
  }

  hasLeft(write: number): boolean {
    return write <= this.#left;
  }

  /** Wakes `sleeper` when a write has left, whichever it is; on a socket that is closing, when it has closed. */
  whenLeft(sleeper: Sleeper): void {
    this.#waiting ??= [];
    this.#waiting.push(sleeper);
  }

  /**
   * Sends one message, made of a text and of what follows it in UTF-8. Sends nothing on a socket that is closing, and
   * closes it where the client leaves too much unread.
   */
  post(start: string, end?: Buffer): void {
    if (!this.isOpen) return;
    const unsentBytes = this.#frameBytes + this.#stream.writableLength;
    if (unsentBytes > this.#outbox.maxUnsentBytes) {
      this.#giveUp(unsentBytes);
      return;
    }
    if (this.#frames === null) {
      this.#frames = [];
      this.#outbox.add(this);
    }
    for (const chunk of textFrame(start, end)) {
      this.#frames.push(chunk);
      this.#frameBytes += chunk.length;
    }
  }

  /** Sends one message, and resolves when it has left the process or the socket has closed. */
  async send(text: string): Promise<void> {
    const write = this.nextWrite;
    this.post(text);
    while (!this.hasLeft(write) && this.#socket.readyState !== this.#socket.CLOSED) {
      await new Promise<void>((wake) => this.whenLeft({ wake }));
    }
  }

  /** Writes what was sent in this turn. */
  flush(): void {
    const frames = this.#frames;
    const bytes = this.#frameBytes;
    this.#frames = null;
    this.#frameBytes = 0;
    if (frames === null || !this.isOpen) return;
    this.#written += 1;
    const write = this.#written;
    const whenWritten = (error?: Error | null) => {
      // One that failed is followed by the close of its socket.
      if (!error) this.#hasLeft(write);
    };
    const last = frames.pop();
    if (last === undefined) return;
    if (frames.length === 0) this.#stream.write(last, whenWritten);
    else if (bytes <= COPIED_BYTES) this.#stream.write(Buffer.concat([...frames, last], bytes), whenWritten);
    else {
      this.#stream.cork();
      for (const frame of frames) this.#stream.write(frame);
      this.#stream.write(last, whenWritten);
      this.#stream.uncork();
    }
  }

  /** Begins to close; what was sent before comes first. */
  close(code: number, reason: string): void {
    this.flush();
    this.#socket.close(code, reason);
  }

  ping(): void {
    this.#readAtPing = this.#stream.bytesRead;
    this.#socket.ping();
  }

  /** Drops the connection without a word. */
  terminate(): void {
    this.#socket.terminate();
  }

  /** To be called when the socket has closed: ends all operations. */
  hasClosed(): void {
    if (this.introduction !== null) clearTimeout(this.introduction);
    for (const operation of this.operations.list()) operation.leave();
    this.#wake();
  }

  #giveUp(unsentBytes: number): void {
    this.#outbox.log.info({ unsentBytes }, "a WebSocket is closed, since its client does not read");
    this.close(CLOSE_CODES.TOO_MUCH_UNREAD, "Too much is unread: resume from your last cursor");
    setTimeout(() => this.terminate(), CLOSING_MS).unref();
  }

  #hasLeft(write: number): void {
    this.#left = write;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    this.#waiting = null;
    for (const sleeper of waiting) sleeper.wake();
  }
}

/** The clients to whom something is sent in this turn of the event loop. */
export class Outbox {
  readonly maxUnsentBytes: number;
  readonly log: Log;
  #clients: SocketClient[] = [];

  constructor(maxUnsentBytes: number, log: Log) {
    this.maxUnsentBytes = maxUnsentBytes;
    this.log = log;
  }

  add(client: SocketClient): void {
    if (this.#clients.push(client) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const clients = this.#clients;
    this.#clients = [];
    for (const client of clients) client.flush();
  }
}
