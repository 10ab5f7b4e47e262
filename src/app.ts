/** Wires the rooms into one server. `main` starts it; tests start as many as they like. */
import { Closers } from "./closers.js";
import type { Config } from "./config.js";
import { connectDatabase } from "./database/connect.js";
import type { DatabaseObserver } from "./database/prisma-client.js";
import { countsBoard } from "./events/counts-board.js";
import { eventFeeds } from "./events/feeds.js";
import { startPruning } from "./events/pruning.js";
import { openEventLog } from "./events/store.js";
import { Tail } from "./events/tail.js";
import { actorOf } from "./graphql/actor.js";
import type { Context } from "./graphql/context.js";
import { playground } from "./graphql/playground.js";
import { phaselineSchema } from "./graphql/schema.js";
import type { Log } from "./http/log.js";
import { TEXTS_SHARE } from "./http/plain-operations.js";
import { startHttp } from "./http/server.js";
import { createMetrics } from "./metrics/metrics.js";
import { planCommands } from "./plan/commands/commands.js";
import { ulidGenerator } from "./plan/identifiers.js";
import { forgetOldKeys } from "./plan/store/key-expiry.js";
import { planStore } from "./plan/store/store.js";
import { repeat } from "./repeat.js";
import { workflowStore } from "./workflow/store.js";

export interface App {
  /** Where a client on this machine reaches the server, without a path. */
  readonly url: string;
  /** Lets running operations finish, ends the feeds so that their clients resume, and closes the database. */
  stop(): Promise<void>;
}

/** The channel on which processes of one database tell each other that there are new events. */
const EVENTS_CHANNEL = "phaseline_events";
/** What of the memory for plans may be workflow plans; what texts leave of the rest is for the plans themselves. */
const WORKFLOW_SHARE = 0.5;
/** What of their texts one answer reads, and what it shows, in bytes. */
const WORKFLOW_TEXTS = 32 * 1024 * 1024;

const TAIL = { ring: { maxEvents: 10_000, maxBytes: 32 * 1024 * 1024 }, lookEveryMs: 3_000 };
const PRUNING = { everyMs: 1_000, stepSize: 1_000 };
const FORGET_KEYS_EVERY_MS = 60_000;

/**
 * Opens the database (bringing it up to date) and begins to listen. Rejects with `StartRefused` where the database
 * is not to be used, and with the system's error where the address can't be listened on.
 */
export async function startApp(
  config: Config,
  log: Log,
  observer: Pick<DatabaseObserver, "onStatement"> = {},
): Promise<App> {
  const metrics = createMetrics();
  const database = await connectDatabase(config.database, {
    onError: (error) => log.warn({ err: error }, "the database had a failure that nobody waited for"),
    onStatement: (text, durationMs) => {
      metrics.statement(durationMs);
      observer.onStatement?.(text, durationMs);
    },
  });
  const closers = new Closers();
  closers.add(database.close);
  try {
    const workflowBytes = Math.floor(config.cacheBytes * WORKFLOW_SHARE);
    const textBytes = Math.floor(config.cacheBytes * TEXTS_SHARE);
    const store = planStore(database, config.cacheBytes - workflowBytes - textBytes);
    const workflows = workflowStore(database, {
      maxBytes: workflowBytes,
      maxTextBytes: WORKFLOW_TEXTS,
    });
    const eventLog = await openEventLog(database);
    const tail = new Tail(eventLog, {
      ...TAIL,
      observer: metrics,
      onError: (error) => log.warn({ err: error }, "the log could not be read; it is tried again"),
    });
    const feeds = eventFeeds(eventLog, tail, metrics);
    // Only once their clients are gone: a feed that ends before its connection is, tells them that it is complete.
    closers.add(feeds.stop);
    metrics.watchFeeds(feeds.status);
    const counts = countsBoard(store, tail);
    closers.add(counts.stop);
    const wake = () => tail.wake();
    closers.add(await database.listen(EVENTS_CHANNEL, wake));
    closers.add(
      startPruning(eventLog, {
        ...PRUNING,
        retention: config.events.retention,
        onError: (error) => log.warn({ err: error }, "the log could not be pruned; it is tried again"),
      }),
    );
    closers.add(
      repeat({
        everyMs: FORGET_KEYS_EVERY_MS,
        work: (isStopped) => forgetOldKeys(database, isStopped),
        onError: (error) => log.warn({ err: error }, "old keys could not be forgotten; it is tried again"),
      }),
    );
    const commands = planCommands({
      transact: store.transact,
      newUlid: ulidGenerator(Date.now),
      committed: wake,
      answered: metrics.command,
    });
    const http = await startHttp({
      config,
      log,
      playground,
      schema: phaselineSchema(),
      metrics,
      context: (operation): Context => {
        let head: Promise<bigint> | undefined;
        const asOf = () => {
          head ??= feeds.head();
          return head;
        };
        return {
          actor: actorOf(operation.actor),
          plans: store,
          workflows: workflows(),
          commands,
          commandAnswered: metrics.command,
          feeds,
          counts,
          asOf,
          resumeAfter: operation.resumeAfter,
          noteCursor: operation.noteCursor,
          operation,
        };
      },
      ready: database.answers,
    });
    closers.add(http.stop);
    return { url: http.url, stop: () => closers.close() };
  } catch (error) {
    await closers
      .close()
      .catch((failure) => log.warn({ err: failure }, "a failed start left something open"));
    throw error;
  }
}
