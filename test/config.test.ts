import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config.js";

describe("the config", () => {
  it("is whole without any variable: embedded, on the loopback address", () => {
    expect(readConfig({})).toEqual({
      host: "127.0.0.1",
      port: 4000,
      database: { kind: "embedded", directory: "./.phaseline/data" },
      http: {
        allowedHosts: [],
        allowedOrigins: [],
        maxBodyBytes: 4 * 1024 * 1024,
        maxFrameBytes: 1024 * 1024,
        maxUnsentBytes: 4 * 1024 * 1024,
        maxConnections: 10_000,
        maxOperationsPerSocket: 100,
        shutdownGraceMs: 7_000,
      },
      query: { maxDepth: 24, maxAliases: 100, maxTokens: 2500, maxCost: 20_000_000, maxItems: 50_000 },
      cacheBytes: 128 * 1024 * 1024,
      events: { retention: { maxAgeMs: null, maxEvents: null } },
      log: { level: "info" },
    });
  });

  it("takes an empty variable for one that is not given", () => {
    const empty = { PORT: "", HOST: " ", DATABASE_URL: "", PHASELINE_ALLOWED_HOSTS: "", LOG_LEVEL: "" };
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it("uses the server of DATABASE_URL, with its pool and its time limit", () => {
    const config = readConfig({
      DATABASE_URL: "postgresql://ada@db.example:5432/plans",
      PHASELINE_POOL_SIZE: "3",
      PHASELINE_STATEMENT_TIMEOUT: "2500",
    });
    expect(config).toMatchObject({
      database: {
        kind: "server",
        url: "postgresql://ada@db.example:5432/plans",
        poolSize: 3,
        statementTimeoutMs: 2500,
      },
    });
  });

  it("reads lists between commas, host names in lower case and origins in their normal form", () => {
    const config = readConfig({
      PHASELINE_ALLOWED_HOSTS: "Plans.Example, phaseline,[FD00::1],fd00::2",
      PHASELINE_ALLOWED_ORIGINS: "https://Dashboard.example/,http://localhost:3000",
    });
    expect(config).toMatchObject({
      http: {
        allowedHosts: ["plans.example", "phaseline", "fd00::1", "fd00::2"],
        allowedOrigins: ["https://dashboard.example", "http://localhost:3000"],
      },
    });
  });

  it.each(["plans.example:4000", "[fd00::1]:4000", "plans.example/graphql", "[plans.example]"])(
    "refuses %j as the name of a host, since no request could have it",
    (name) => {
      const read = readConfig({ PHASELINE_ALLOWED_HOSTS: name });
      const message = `each entry must be a host name or an address without a scheme, a port or a path, unlike "${name}"`;
      expect(read).toEqual({ faults: [{ variable: "PHASELINE_ALLOWED_HOSTS", message }] });
    },
  );

  it.each([
    ["90d", { maxAgeMs: 90 * 86_400_000, maxEvents: null }],
    ["1000000", { maxAgeMs: null, maxEvents: 1_000_000 }],
    ["12h, 500", { maxAgeMs: 12 * 3_600_000, maxEvents: 500 }],
  ])("reads how long events are kept from %j", (text, retention) => {
    expect(readConfig({ PHASELINE_EVENT_RETENTION: text })).toMatchObject({ events: { retention } });
  });

  it("names every faulty variable at once", () => {
    const read = readConfig({
      HOST: "http://127.0.0.1",
      PORT: "65536",
      DATABASE_URL: "mysql://db.example/plans",
      PHASELINE_POOL_SIZE: "0",
      PHASELINE_ALLOWED_HOSTS: "https://plans.example",
      PHASELINE_ALLOWED_ORIGINS: "dashboard.example",
      PHASELINE_MAX_BODY_BYTES: "4MB",
      PHASELINE_SHUTDOWN_GRACE: "-1",
      PHASELINE_MAX_DEPTH: "1e3",
      PHASELINE_EVENT_RETENTION: "forever",
      LOG_LEVEL: "loud",
    });
    expect("faults" in read && read.faults.map((fault) => fault.variable)).toEqual([
      "HOST",
      "PORT",
      "DATABASE_URL",
      "PHASELINE_POOL_SIZE",
      "PHASELINE_ALLOWED_HOSTS",
      "PHASELINE_ALLOWED_ORIGINS",
      "PHASELINE_MAX_BODY_BYTES",
      "PHASELINE_SHUTDOWN_GRACE",
      "PHASELINE_MAX_DEPTH",
      "PHASELINE_EVENT_RETENTION",
      "LOG_LEVEL",
    ]);
    expect("faults" in read && read.faults.every((fault) => fault.message !== "")).toBe(true);
  });

  it("is frozen throughout", () => {
    const config = readConfig({ PHASELINE_ALLOWED_HOSTS: "plans.example" });
    expect("http" in config && Object.isFrozen(config.http.allowedHosts)).toBe(true);
  });
});
