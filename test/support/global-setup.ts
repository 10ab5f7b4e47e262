/**
 * Runs once for all tests: starts a PostgreSQL server, compiles the server for tests of processes, and makes a migrated template for each home of the
 * database. At the end it fails where a test left a database of its own behind.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { Closers } from "../../src/closers.js";
import { connectDatabase } from "../../src/database/connect.js";
import { type Build, buildServer } from "./build.js";
import { type PostgresServer, startPostgresServer } from "./postgres-server.js";
import { makeScratchDirectory } from "./scratch.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the compiled server, as `dist` would be. */
    readonly builtServer: string;
    /** The server's administrator. */
    readonly adminUrl: string;
    /** The migrated database on the server; it is copied, never used. */
    readonly templateDatabase: string;
    /** The directory of a migrated embedded database; it is copied, never used. */
    readonly templateDirectory: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const closers = new Closers();
  const directory = await makeScratchDirectory("phaseline-template-");
  closers.add(() => rm(directory, { recursive: true, force: true }));
  const templateDatabase = `phaseline_template_${process.pid}`;
  const templateDirectory = join(directory, "data");
  let server: PostgresServer;
  let build: Build;
  try {
    // Side by side; where one fails, the other is waited for all the same, so that it can be stopped.
    const starting = startPostgresServer().then((started) => {
      closers.add(started.stop);
      return started;
    });
    const building = buildServer().then((built) => {
      closers.add(built.remove);
      return built;
    });
    await Promise.allSettled([starting, building]);
    [server, build] = await Promise.all([starting, building]);
    await administrate(server.url, (admin) => admin.query(`CREATE DATABASE ${templateDatabase}`));
    await makeServerTemplate(server.url, templateDatabase);
    await makeDirectoryTemplate(templateDirectory);
  } catch (error) {
    await closers.close().catch((failure) => console.error(failure));
    throw error;
  }
  project.provide("builtServer", build.directory);
  project.provide("adminUrl", server.url);
  project.provide("templateDatabase", templateDatabase);
  project.provide("templateDirectory", templateDirectory);

  return async () => {
    const left = await administrate(server.url, async (admin) => {
      const { rows } = await admin.query<{ datname: string }>(
        "SELECT datname FROM pg_database WHERE datname LIKE $1",
        [`phaseline_test_${process.pid}_%`],
      );
      for (const { datname } of rows) await admin.query(`DROP DATABASE ${datname} WITH (FORCE)`);
      await admin.query(`DROP DATABASE ${templateDatabase}`);
      return rows.length;
    });
    await closers.close();
    if (left > 0) throw new Error(`${left} databases were opened by tests and never closed`);
  };
}

async function makeServerTemplate(adminUrl: string, name: string): Promise<void> {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const database = await connectDatabase({
    kind: "server",
    url: url.href,
    poolSize: 1,
    statementTimeoutMs: 60_000,
  });
  await database.close();
}

async function makeDirectoryTemplate(directory: string): Promise<void> {
  const database = await connectDatabase({ kind: "embedded", directory });
  await database.close();
}

async function administrate<Result>(
  url: string,
  work: (admin: pg.Client) => Promise<Result>,
): Promise<Result> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
