/** Writes answers to Node's response: small JSON ones, and those that Yoga made, streams among them. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { HttpRefusal } from "./refusals.js";

/** A refusal in the shape of a GraphQL answer, so that clients can show its sentence. */
export function refusalBody(refusal: HttpRefusal): string {
  return JSON.stringify({ errors: [{ message: refusal.message, extensions: { code: refusal.code } }] });
}

export function sendRefusal(response: ServerResponse, refusal: HttpRefusal): void {
  if (response.headersSent) return;
  for (const [name, value] of Object.entries(refusal.headers ?? {})) response.setHeader(name, value);
  send(response, refusal.status, "application/json; charset=utf-8", refusalBody(refusal));
}

export function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string | Buffer,
): void {
  response.setHeader("content-length", Buffer.byteLength(body));
  response.writeHead(status, { "content-type": contentType }).end(body);
}

/**
 * Writes Yoga's answer and resolves when it has ended. A stream is read no faster than the client reads,
 * and is cancelled at once, which ends its subscription, when the client is gone or `ending` aborts.
 */
export async function sendAnswer(
  answer: Response,
  response: ServerResponse,
  ending: AbortSignal,
): Promise<void> {
  const contentType = answer.headers.get("content-type") ?? "text/plain";
  if (!contentType.startsWith("text/event-stream") || answer.body === null) {
    const body = await answer.text();
    if (response.destroyed) return;
    answer.headers.forEach((value, name) => {
      response.setHeader(name, value);
    });
    send(response, answer.status, contentType, body);
    return;
  }
  const reader = answer.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  response.once("close", cancel);
  ending.addEventListener("abort", cancel, { once: true });
  try {
    if (response.destroyed || ending.aborted) return cancel();
    response.writeHead(answer.status, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    response.flushHeaders();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || response.destroyed) break;
      if (!response.write(value)) await drained(response, ending);
    }
  } finally {
    response.off("close", cancel);
    ending.removeEventListener("abort", cancel);
    // A client that does not read would keep a server that stops from its end.
    if (ending.aborted && response.writableNeedDrain) response.destroy();
    else response.end();
  }
}

async function drained(response: ServerResponse, ending: AbortSignal): Promise<void> {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  response.once("close", leave);
  ending.addEventListener("abort", leave, { once: true });
  if (ending.aborted) leave();
  await once(response, "drain", { signal: leaving.signal }).catch(() => {});
  response.off("close", leave);
  ending.removeEventListener("abort", leave);
}
