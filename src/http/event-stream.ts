/**
 * Server-Sent Events: each result as an event `next` that carries its cursor as the id, so that a browser's
 * EventSource resumes by itself; comments in between, so that no proxy takes a quiet stream for a dead one.
 */
import type { ExecutionResult } from "graphql";
import { writeJson } from "../json-writing.js";
import type { Exchange } from "./exchange.js";
import { hasFailed } from "./failures.js";

/** `results` is pulled as fast as the client reads, and returned at once when the client is gone. */
export function eventStream(
  results: AsyncIterableIterator<ExecutionResult>,
  exchange: Exchange,
  keepAliveMs: number,
): Response {
  let keepAlive: NodeJS.Timeout | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(COMMENT);
      keepAlive = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(COMMENT);
      }, keepAliveMs);
    },
    async pull(controller) {
      try {
        const step = await results.next();
        controller.enqueue(step.done ? COMPLETE : eventOf(step.value, exchange));
        if (!step.done) return;
        clearInterval(keepAlive);
        controller.close();
      } catch (error) {
        clearInterval(keepAlive);
        throw error;
      }
    },
    async cancel() {
      clearInterval(keepAlive);
      await results.return?.();
    },
  });
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

const encoder = new TextEncoder();
const COMMENT = encoder.encode(":\n\n");
const COMPLETE = encoder.encode("event: complete\ndata:\n\n");

function eventOf(result: ExecutionResult, exchange: Exchange): Uint8Array {
  // What failed was not told: a client that comes back with the id before it gets it once more.
  const id = exchange.cursor === null || hasFailed(result) ? "" : `id: ${exchange.cursor}\n`;
  exchange.cursor = null;
  return encoder.encode(`${id}event: next\ndata: ${writeJson(result)}\n\n`);
}
