/**
 * A fresh, migrated database for a test, in both homes: `describe.each(homes)("… ($name)", ({ open }) => …)`.
 * What is opened must be closed; closing fails where the test left a connection open.
 */
import { cpSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import type { Config } from "../../src/config.js";
import { connectDatabase } from "../../src/database/connect.js";
import type { Database } from "../../src/database/database.js";
import type { DatabaseObserver } from "../../src/database/prisma-client.js";
import { makeScratchDirectory } from "./scratch.js";

export interface OpenDatabase {
  readonly database: Database;
  readonly config: Config["database"];
  /** Closes the database, unless the test did, and removes it. */
  close(): Promise<void>;
}

export interface DatabaseHome {
  readonly name: "embedded" | "server";
  open(observer?: DatabaseObserver): Promise<OpenDatabase>;
}

/** A place for a database, with nothing running on it. */
export interface DatabasePlace<Kind extends Config["database"]["kind"]> {
  readonly config: Extract<Config["database"], { kind: Kind }>;
  remove(): Promise<void>;
}

export type AnyDatabasePlace = DatabasePlace<"embedded"> | DatabasePlace<"server">;

export const homes: readonly DatabaseHome[] = [
  { name: "embedded", open: (observer) => openAt(createDirectory("migrated"), observer) },
  { name: "server", open: (observer) => openAt(createServerDatabase("migrated"), observer) },
];

/** A directory for an embedded database: migrated already, or empty. */
export async function createDirectory(content: "migrated" | "empty"): Promise<DatabasePlace<"embedded">> {
  const parent = await makeScratchDirectory("phaseline-test-");
  const directory = join(parent, "data");
  if (content === "migrated") cpSync(inject("templateDirectory"), directory, { recursive: true });
  return {
    config: { kind: "embedded", directory },
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}

/** A database on the server: migrated already, or empty. */
export async function createServerDatabase(content: "migrated" | "empty"): Promise<DatabasePlace<"server">> {
  const name = nextName();
  const source = content === "migrated" ? inject("templateDatabase") : "template0";
  await administrate((admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${source}`));
  const url = new URL(inject("adminUrl"));
  url.pathname = `/${name}`;
  return {
    config: { kind: "server", url: url.href, poolSize: 5, statementTimeoutMs: 10_000 },
    remove: () => administrate((admin) => dropDatabase(admin, name)),
  };
}

/** Runs `work` as the server's administrator, on its own database or on the one of `url`. */
export async function administrate<Result>(
  work: (admin: pg.Client) => Promise<Result>,
  url: string = inject("adminUrl"),
): Promise<Result> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

let made = 0;

/** The setup's process id stands in the name, so that its teardown knows what was left behind. */
function nextName(): string {
  made += 1;
  const run = inject("templateDatabase").replace("phaseline_template_", "");
  return `phaseline_test_${run}_${process.pid}_${made}`;
}

async function openAt(
  creation: Promise<AnyDatabasePlace>,
  observer: DatabaseObserver = {},
): Promise<OpenDatabase> {
  const { config, remove } = await creation;
  const database = await connectDatabase(config, observer);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= database.close();
    return closing;
  };
  return {
    database: { ...database, close },
    config,
    close: async () => {
      await close();
      await remove();
    },
  };
}

/**
 * Whoever ended its connection is still listed until its backend has left: the drop is tried until then, and
 * fails where one stays.
 */
async function dropDatabase(admin: pg.Client, name: string): Promise<void> {
  for (let left = 50; ; left -= 1) {
    try {
      await admin.query(`DROP DATABASE ${name}`);
      return;
    } catch (error) {
      if (left === 0 || !(error instanceof pg.DatabaseError) || error.code !== "55006") throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
