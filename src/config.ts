/** The environment, read once into a frozen config; all faults are reported together. */
import { isIPv6 } from "node:net";
import { z } from "zod";

export interface Config {
  readonly host: string;
  /** 0 asks the system for any free port. */
  readonly port: number;
  readonly database:
    | { readonly kind: "embedded"; readonly directory: string }
    | {
        readonly kind: "server";
        readonly url: string;
        readonly poolSize: number;
        readonly statementTimeoutMs: number;
      };
  readonly http: {
    /** Host names, in lower case and without a port or brackets; loopback names are always allowed too. */
    readonly allowedHosts: readonly string[];
    /** Further origins, such as `https://dashboard.example`, whose pages may call the API. */
    readonly allowedOrigins: readonly string[];
    readonly maxBodyBytes: number;
    readonly maxFrameBytes: number;
    /** What a WebSocket may leave unread before it is closed. */
    readonly maxUnsentBytes: number;
    /** WebSockets and event streams together. */
    readonly maxConnections: number;
    readonly maxOperationsPerSocket: number;
    readonly shutdownGraceMs: number;
  };
  readonly query: {
    readonly maxDepth: number;
    readonly maxAliases: number;
    readonly maxTokens: number;
    readonly maxCost: number;
    /** How many items all lists of a document may have together: one statement finds them, and others wait for it. */
    readonly maxItems: number;
  };
  /** What the plans in memory may take. */
  readonly cacheBytes: number;
  readonly events: {
    /** What of the log must be kept; all of it where both are null. */
    readonly retention: { readonly maxAgeMs: number | null; readonly maxEvents: number | null };
  };
  readonly log: { readonly level: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent" };
}

/** Everything that is wrong with an environment, each fault under the name of its variable. */
export interface ConfigFaults {
  readonly faults: readonly { readonly variable: string; readonly message: string }[];
}

/**
 * Reads the config out of an environment, changing and opening nothing. An empty variable counts as not
 * given; unknown ones are left alone. Sizes are in bytes, times in milliseconds.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config | ConfigFaults {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const read = variables.safeParse(given);
  if (!read.success) {
    const faults = read.error.issues.map((issue) => ({
      variable: String(issue.path[0]),
      message: issue.message,
    }));
    return { faults };
  }
  const value = read.data;
  return deepFreeze({
    host: value.HOST,
    port: value.PORT,
    database:
      value.DATABASE_URL === undefined
        ? { kind: "embedded", directory: value.PHASELINE_DATA_DIR }
        : {
            kind: "server",
            url: value.DATABASE_URL,
            poolSize: value.PHASELINE_POOL_SIZE,
            statementTimeoutMs: value.PHASELINE_STATEMENT_TIMEOUT,
          },
    http: {
      allowedHosts: value.PHASELINE_ALLOWED_HOSTS,
      allowedOrigins: value.PHASELINE_ALLOWED_ORIGINS,
      maxBodyBytes: value.PHASELINE_MAX_BODY_BYTES,
      maxFrameBytes: value.PHASELINE_MAX_FRAME_BYTES,
      maxUnsentBytes: value.PHASELINE_MAX_UNSENT_BYTES,
      maxConnections: value.PHASELINE_MAX_CONNECTIONS,
      maxOperationsPerSocket: value.PHASELINE_MAX_OPERATIONS_PER_SOCKET,
      shutdownGraceMs: value.PHASELINE_SHUTDOWN_GRACE,
    },
    query: {
      maxDepth: value.PHASELINE_MAX_DEPTH,
      maxAliases: value.PHASELINE_MAX_ALIASES,
      maxTokens: value.PHASELINE_MAX_TOKENS,
      maxCost: value.PHASELINE_MAX_COST,
      maxItems: value.PHASELINE_MAX_ITEMS,
    },
    cacheBytes: value.PHASELINE_CACHE_BYTES,
    events: { retention: value.PHASELINE_EVENT_RETENTION },
    log: { level: value.LOG_LEVEL },
  });
}

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
/** The longest delay that a Node timer keeps, in milliseconds. */
export const LONGEST_DELAY = 2 ** 31 - 1;

const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000 };

const variables = z.object({
  HOST: z
    .string()
    .trim()
    .regex(/^[0-9A-Za-z.:_-]+$/, "must be a host name or an address to listen on, without a port")
    .default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535, 4000),
  DATABASE_URL: z
    .string()
    .trim()
    .refine(isPostgresUrl, "must be a postgres:// or postgresql:// URL")
    .optional(),
  PHASELINE_DATA_DIR: z.string().default("./.phaseline/data"),
  PHASELINE_POOL_SIZE: wholeNumber(1, 1000, 10),
  PHASELINE_STATEMENT_TIMEOUT: wholeNumber(1, LONGEST_DELAY, 30_000),
  PHASELINE_ALLOWED_HOSTS: list(hostNameOf, {
    entry: "a host name or an address without a scheme, a port or a path",
  }),
  PHASELINE_ALLOWED_ORIGINS: list(originOf, { entry: "an origin such as https://dashboard.example" }),
  PHASELINE_MAX_BODY_BYTES: wholeNumber(KIBIBYTE, 1024 * MEBIBYTE, 4 * MEBIBYTE),
  PHASELINE_MAX_FRAME_BYTES: wholeNumber(KIBIBYTE, 1024 * MEBIBYTE, MEBIBYTE),
  PHASELINE_MAX_UNSENT_BYTES: wholeNumber(KIBIBYTE, 1024 * MEBIBYTE, 4 * MEBIBYTE),
  PHASELINE_MAX_CONNECTIONS: wholeNumber(1, 1_000_000, 10_000),
  PHASELINE_MAX_OPERATIONS_PER_SOCKET: wholeNumber(1, 100_000, 100),
  PHASELINE_SHUTDOWN_GRACE: wholeNumber(0, LONGEST_DELAY, 7_000),
  PHASELINE_MAX_DEPTH: wholeNumber(1, 1000, 24),
  PHASELINE_MAX_ALIASES: wholeNumber(0, 1_000_000, 100),
  PHASELINE_MAX_TOKENS: wholeNumber(1, 1_000_000, 2500),
  PHASELINE_MAX_COST: wholeNumber(1, Number.MAX_SAFE_INTEGER, 20_000_000),
  PHASELINE_MAX_ITEMS: wholeNumber(1, Number.MAX_SAFE_INTEGER, 50_000),
  PHASELINE_CACHE_BYTES: wholeNumber(KIBIBYTE, 64 * 1024 * MEBIBYTE, 128 * MEBIBYTE),
  PHASELINE_EVENT_RETENTION: z.string().default("").transform(readRetention),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be one of fatal, error, warn, info, debug, trace, silent",
    })
    .default("info"),
});

function wholeNumber(least: number, most: number, otherwise: number) {
  return z
    .string()
    .trim()
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : Number.NaN))
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`)
    .default(otherwise);
}

/** An age such as `90d`, `12h` or `30m`, a number of events, or both with a comma between them. */
function readRetention(text: string, context: z.RefinementCtx): Config["events"]["retention"] {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const ages = parts.flatMap((part) => {
    const [, count, unit] = /^([1-9]\d{0,5})([dhm])$/.exec(part) ?? [];
    return unit === undefined ? [] : [Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]];
  });
  const counts = parts.filter((part) => /^[1-9]\d{0,14}$/.test(part)).map(Number);
  if (ages.length > 1 || counts.length > 1 || ages.length + counts.length < parts.length) {
    context.addIssue("must be an age such as 90d, 12h or 30m, a number of events, or both: 90d,1000000");
  }
  return { maxAgeMs: ages[0] ?? null, maxEvents: counts[0] ?? null };
}

/** A comma-separated list; `read` answers the normalised entry, or null for one that is malformed. */
function list(read: (entry: string) => string | null, words: { entry: string }) {
  return z
    .string()
    .transform((text, context) =>
      text
        .split(",")
        .map((entry) => entry.trim())
        .filter((entry) => entry !== "")
        .map((entry) => {
          const value = read(entry);
          if (value === null) context.addIssue(`each entry must be ${words.entry}, unlike "${entry}"`);
          return value ?? entry;
        }),
    )
    .default([]);
}

/** In lower case, and an IPv6 address without its brackets. */
function hostNameOf(entry: string): string | null {
  const name = entry.toLowerCase();
  const address = name.replace(/^\[(.*)\]$/, "$1");
  if (isIPv6(address)) return address;
  return /^[0-9a-z._-]+$/.test(name) ? name : null;
}

function originOf(entry: string): string | null {
  const url = URL.canParse(entry) ? new URL(entry) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  return isOrigin ? url.origin : null;
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) deepFreeze(part);
  return Object.freeze(value);
}
