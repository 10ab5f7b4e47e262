/**
 * Says which requests are turned away before anything reads them. There is no access control, so this is
 * what keeps a web page from using its visitor's browser against the server. Pure: facts in, refusal out.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Config } from "../config.js";
import type { HttpRefusal } from "./refusals.js";

export interface RequestFacts {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** The address at which the request came in. */
  readonly localAddress: string | undefined;
}

type AllowedNames = Pick<Config["http"], "allowedHosts" | "allowedOrigins"> & Pick<Config, "host">;

/**
 * Refuses a `Host` or an `Origin` that the server is not known by, so that neither a rebound DNS name nor a
 * foreign page reaches it. Known are the loopback names, the address it listens on, and the allowed ones;
 * an origin may have any port. A request without `Origin` comes from no page, unless its fetch metadata
 * says that another site's page sent it.
 */
export function refuseStrangers(request: RequestFacts, allowed: AllowedNames): HttpRefusal | null {
  const { host, origin } = request.headers;
  const isKnown = (name: string) => isKnownName(name, request, allowed);
  const name = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i.exec(host ?? "")?.[1];
  if (name === undefined || !isKnown(name)) {
    return forbidden(
      "HOST_NOT_ALLOWED",
      "The server is not known by the name in the Host header. PHASELINE_ALLOWED_HOSTS adds names.",
    );
  }
  if (origin !== undefined) {
    const url = URL.canParse(origin) ? new URL(origin) : null;
    const isOurs = url !== null && /^https?:$/.test(url.protocol) && isKnown(url.hostname);
    if (isOurs || allowed.allowedOrigins.includes(origin)) return null;
    return forbidden(
      "ORIGIN_NOT_ALLOWED",
      "Pages of this origin may not call the server. PHASELINE_ALLOWED_ORIGINS adds origins.",
    );
  }
  const site = request.headers["sec-fetch-site"];
  const isFromOutside = site !== undefined && site !== "same-origin" && site !== "none";
  if (isFromOutside && !opensPage(request)) {
    return forbidden(
      "CROSS_SITE_REQUEST",
      "Pages of another site may not call the server without telling their origin.",
    );
  }
  return null;
}

/**
 * Refuses an operation whose method, content type or accepted answers don't fit, and one that a browser
 * would send for a foreign page without asking first (a "simple" request, which needs no preflight).
 */
export function refuseOperation(request: RequestFacts): HttpRefusal | null {
  const { method, url, headers } = request;
  if (method !== "GET" && method !== "POST") {
    return {
      status: 405,
      code: "METHOD_NOT_ALLOWED",
      message: "GraphQL operations are sent with POST, queries and subscriptions also with GET.",
      headers: { allow: "GET, POST, OPTIONS" },
    };
  }
  const isJson = mediaType(headers["content-type"]) === "application/json";
  if (method === "POST" && !isJson) {
    return {
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: "A POST must have the content type application/json.",
    };
  }
  const forcesPreflight = isJson || "x-phaseline-csrf" in headers || "apollo-require-preflight" in headers;
  if (method === "GET" && !forcesPreflight && !accepts(headers.accept, ["text/event-stream"])) {
    return forbidden(
      "PREFLIGHT_REQUIRED",
      "A GET that runs an operation must have the header x-phaseline-csrf (any value), or accept text/event-stream.",
    );
  }
  const malformed = ["variables", "extensions"].find((name) => !isJsonText(url.searchParams.get(name)));
  if (malformed !== undefined) {
    return { status: 400, code: "BAD_REQUEST", message: `The parameter ${malformed} is not valid JSON.` };
  }
  if (headers.accept !== undefined && !accepts(headers.accept, answerTypes)) {
    return {
      status: 406,
      code: "NOT_ACCEPTABLE",
      message: `The server answers with ${answerTypes.slice(0, 3).join(", ")}.`,
    };
  }
  return null;
}

/** A browser that opens the address itself, rather than a page that fetches from it. */
export function opensPage(request: RequestFacts): boolean {
  return request.method === "GET" && accepts(request.headers.accept, ["text/html"]);
}

/** Whether an answer may be a stream of events. */
export function acceptsEvents(accept: string | null | undefined): boolean {
  return !accept || accepts(accept, ["text/event-stream", "text/*", "*/*"]);
}

const answerTypes = [
  "application/graphql-response+json",
  "application/json",
  "text/event-stream",
  "application/*",
  "text/*",
  "*/*",
];

function accepts(accept: string | undefined, types: readonly string[]): boolean {
  return (accept ?? "").split(",").some((range) => types.includes(mediaType(range)));
}

function isJsonText(text: string | null): boolean {
  try {
    if (text) JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function mediaType(header: string | undefined): string {
  return (header ?? "").split(";", 1).join().trim().toLowerCase();
}

function isKnownName(hostname: string, request: RequestFacts, allowed: AllowedNames): boolean {
  const name = hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  const isLoopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1)$/.test(name);
  if (isLoopback || name === allowed.host.toLowerCase() || allowed.allowedHosts.includes(name)) return true;
  // The last one, since a connection that was asked for its address keeps it.
  return name === request.localAddress?.replace(/^::ffff:/, "");
}

function forbidden(code: string, message: string): HttpRefusal {
  return { status: 403, code, message };
}
