/** A whole server for a test, in either home, and how to talk to it. */
import { Writable } from "node:stream";
import { pino } from "pino";
import { startApp } from "../../src/app.js";
import type { DatabaseObserver } from "../../src/database/prisma-client.js";
import { type AnyDatabasePlace, createDirectory, createServerDatabase } from "./databases.js";
import {
  type Answer,
  configOf,
  type EventStream,
  openEvents,
  openSocket,
  post,
  type SocketClient,
} from "./http.js";

export interface TestApp {
  readonly endpoint: string;
  readonly place: AnyDatabasePlace;
  /** The parsed lines of the log, as they are written. */
  readonly lines: Record<string, unknown>[];
  /** The data of an operation that has no top-level errors. */
  ask<Data = Record<string, never>>(
    query: string,
    variables?: object,
    headers?: Record<string, string>,
  ): Promise<Data>;
  /** The whole answer, errors included. */
  send(query: string, variables?: object, headers?: Record<string, string>): Promise<Answer>;
  events(query: string, variables?: object): Promise<EventStream>;
  socket(parameters?: object): Promise<SocketClient>;
  /** Stops the server; the database stays. */
  stop(): Promise<void>;
  /** Stops the server, and removes the database. */
  close(): Promise<void>;
}

export interface AppHome {
  readonly name: "embedded" | "server";
  start(options?: AppOptions): Promise<TestApp>;
}

export interface AppOptions {
  readonly environment?: Record<string, string>;
  readonly observer?: DatabaseObserver;
  /** The database of another server, for a second process on it. */
  readonly place?: AnyDatabasePlace;
}

export const appHomes: readonly AppHome[] = [
  {
    name: "embedded",
    start: async (options) => startTestApp(options?.place ?? (await createDirectory("migrated")), options),
  },
  {
    name: "server",
    start: async (options) =>
      startTestApp(options?.place ?? (await createServerDatabase("migrated")), options),
  },
];

/** Starts a server in this process on a database that is there. */
export async function startTestApp(
  place: AnyDatabasePlace,
  { environment, observer }: AppOptions = {},
): Promise<TestApp> {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: "debug" },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    }),
  );
  const app = await startApp({ ...configOf(environment), database: place.config }, log, observer);
  const endpoint = `${app.url}/graphql`;
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= app.stop();
    return stopping;
  };
  return {
    endpoint,
    place,
    lines,
    async ask<Data>(query: string, variables?: object, headers?: Record<string, string>): Promise<Data> {
      const { body } = await post(endpoint, { query, variables }, headers);
      if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
      return body.data as Data;
    },
    send: (query, variables, headers) => post(endpoint, { query, variables }, headers),
    events: (query, variables) => openEvents(endpoint, { query, variables }),
    socket: (parameters) => openSocket(endpoint, parameters),
    stop,
    async close() {
      await stop();
      await place.remove();
    },
  };
}
