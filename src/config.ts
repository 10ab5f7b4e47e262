/** The environment, read once into a frozen config; all faults are reported together. */
import { z } from "zod";

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly database:
    | { readonly kind: "embedded"; readonly directory: string }
    | { readonly kind: "server"; readonly url: string; readonly poolSize: number; readonly statementTimeoutMs: number };
  readonly http: {
    /** Host names (without a port) that requests may name; loopback names are always among them. */
    readonly allowedHosts: readonly string[];
    /** Further origins, such as `https://dashboard.example`, whose pages may call the API. */
    readonly allowedOrigins: readonly string[];
    readonly maxBodyBytes: number;
    readonly maxFrameBytes: number;
    readonly shutdownGraceMs: number;
  };
  readonly query: {
    readonly maxDepth: number;
    readonly maxAliases: number;
    readonly maxTokens: number;
    readonly maxCost: number;
  };
  readonly log: { readonly level: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent" };
}
