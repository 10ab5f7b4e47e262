/** Reads the bodies of requests, never holding more of one than its limit, nor of all together than theirs. */
import type { IncomingMessage } from "node:http";
import { holdsTooManyValues } from "./json-values.js";

/** What of an unwanted body is still taken in (and thrown away), so that the client gets to read why. */
const DISCARDED_BYTES = 64 * 1024 * 1024;
/** So many of the largest bodies may be held at once. */
const LARGEST_AT_ONCE = 32;
/** What of each body is not counted: an ordinary question finds room beside any number of large bodies that come slowly. */
const UNCOUNTED_BYTES = 16 * 1024;
/** A larger body takes a while to be parsed. */
const PARSED_AT_ONCE_BYTES = 256 * 1024;

/** A whole body, which is counted as held until it is released. */
export interface Body {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A second call changes nothing. */
  release(): void;
}

/** Why there is no body: it is too large, there is no room for it now, or it would take too long to parse. */
export type BodyFault = "TOO_LARGE" | "NO_ROOM" | "TOO_MANY_VALUES";

export class Bodies {
  readonly #limit: number;
  #room: number;
  /** The large bodies that are whole; one is handed on in each turn of the event loop, so that others get theirs. */
  readonly #whole: (() => void)[] = [];

  /** `limit` is the size of the largest body that is read, in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
    this.#room = LARGEST_AT_ONCE * limit;
  }

  /** The body, or as soon as it is known why it is not read to its end. Rejects if the client leaves. */
  async read(request: IncomingMessage): Promise<Body | BodyFault> {
    if (Number(request.headers["content-length"] ?? 0) > this.#limit) return "TOO_LARGE";
    const chunks: Buffer[] = [];
    let size = 0;
    let counted = 0;
    const release = () => {
      this.#room += counted;
      counted = 0;
    };
    return new Promise((resolve, reject) => {
      const refuse = (fault: BodyFault) => {
        request.off("data", onData);
        request.pause();
        chunks.length = 0;
        release();
        resolve(fault);
      };
      const onData = (chunk: Buffer) => {
        size += chunk.length;
        if (size > this.#limit) return refuse("TOO_LARGE");
        const more = Math.max(size - UNCOUNTED_BYTES, 0) - counted;
        if (more > this.#room) return refuse("NO_ROOM");
        this.#room -= more;
        counted += more;
        chunks.push(chunk);
      };
      const onClose = () => {
        release();
        reject(new Error("the client left before its request was whole"));
      };
      request.on("data", onData);
      request.once("end", () => {
        request.off("close", onClose);
        const handOn = () => {
          const bytes = Buffer.concat(chunks);
          if (holdsTooManyValues(bytes)) refuse("TOO_MANY_VALUES");
          else resolve({ bytes, release });
        };
        if (size <= PARSED_AT_ONCE_BYTES) handOn();
        else this.#queue(handOn);
      });
      request.once("error", reject);
      request.once("close", onClose);
    });
  }

  #queue(handOn: () => void): void {
    if (this.#whole.length === 0) setImmediate(() => this.#handOnNext());
    this.#whole.push(handOn);
  }

  #handOnNext(): void {
    this.#whole.shift()?.();
    if (this.#whole.length > 0) setImmediate(() => this.#handOnNext());
  }
}

/** Lets the rest of a body that is not wanted run by, and drops the client if it never ends. */
export function discardBody(request: IncomingMessage): void {
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > DISCARDED_BYTES) request.destroy();
  });
  request.on("error", () => {});
  request.resume();
}
