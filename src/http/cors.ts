/** Lets pages of allowed origins read the answers. Which origins those are is the guard's to say. */
import type { IncomingMessage, ServerResponse } from "node:http";

const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** Call it for a request that the guard let pass, before anything is written. */
export function allowOrigin(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("vary", "Origin");
  const { origin } = request.headers;
  if (origin === undefined) return;
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-expose-headers", "x-request-id");
}

export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const headers = request.headers["access-control-request-headers"];
  response.setHeader("access-control-allow-methods", "GET, POST");
  if (headers !== undefined) response.setHeader("access-control-allow-headers", headers);
  response.setHeader("access-control-max-age", PREFLIGHT_MAX_AGE_SECONDS);
  response.writeHead(204).end();
}
