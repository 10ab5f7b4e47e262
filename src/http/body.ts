/** Reads a request's body, never holding more of it than the limit. */
import type { IncomingMessage } from "node:http";

/** What of an unwanted body is still taken in (and thrown away), so that the client gets to read why. */
const DISCARDED_BYTES = 64 * 1024 * 1024;

/** The whole body; or `null` as soon as it is known to be larger than `limit` bytes. Rejects if the client leaves. */
export async function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers["content-length"] ?? 0) > limit) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on("data", onData);
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => reject(new Error("the client left before its request was whole")));

    function onData(chunk: Buffer) {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      request.off("data", onData);
      request.pause();
      chunks.length = 0;
      resolve(null);
    }
  });
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
