/** What the server counts about itself, for Prometheus (`/metrics`). Rooms report to it through interfaces of theirs. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { FeedObserver, FeedStatus } from "../events/observer.js";
import { CLOSE_CODES } from "../http/close-codes.js";

export interface Metrics extends FeedObserver {
  readonly contentType: string;
  /** All of them in Prometheus' text format. */
  text(): Promise<string>;
  /** Whom to ask for the state of the feeds when the metrics are read. */
  watchFeeds(status: () => FeedStatus): void;
  statement(durationMs: number): void;
  command(name: string, result: string): void;
  /** Counts codes that the server gives by their number, and all that clients make up together. */
  socketClosed(code: number): void;
}

/** RFC 6455's, and the server's own. */
const KNOWN_CLOSE_CODES: ReadonlySet<number> = new Set([
  ...[1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013],
  ...Object.values(CLOSE_CODES),
]);

export function createMetrics(): Metrics {
  let feeds: () => FeedStatus = () => ({ subscribers: 0, slowestLag: 0 });
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `phaseline_${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `phaseline_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });

  gauge("feed_subscribers", "Feeds of events that are open.", () => feeds().subscribers);
  gauge("feed_lag_events", "How many events the slowest feed is behind the head.", () => feeds().slowestLag);
  gauge("resident_memory_bytes", "Memory of the process.", () => process.memoryUsage.rss());
  const ringHits = counter("feed_ring_hits_total", "Events that feeds took from memory.");
  const batches = counter(
    "feed_database_batches_total",
    "Batches of events that feeds read from the database.",
  );
  const delivered = counter("feed_events_total", "Events that were handed to feeds' clients.");
  const read = counter("log_events_read_total", "Events that the tail of the log read.");
  const wakeUps = counter("log_wake_ups_total", "Times that the tail of the log was woken.");
  const commands = counter("commands_total", "Commands by name and result.", ["command", "result"]);
  const closes = counter("websocket_closes_total", "WebSockets that closed, by code.", ["code"]);
  const statements = new Histogram({
    name: "phaseline_statement_seconds",
    help: "How long statements of the database took.",
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers,
  });

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    watchFeeds: (status) => {
      feeds = status;
    },
    statement: (durationMs) => statements.observe(durationMs / 1_000),
    command: (command, result) => commands.inc({ command, result }),
    socketClosed: (code) => closes.inc({ code: KNOWN_CLOSE_CODES.has(code) ? String(code) : "other" }),
    ringHit: () => ringHits.inc(),
    batchRead: () => batches.inc(),
    eventDelivered: () => delivered.inc(),
    eventsRead: (count) => read.inc(count),
    wokenUp: () => wakeUps.inc(),
  };
}
