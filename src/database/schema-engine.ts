/**
 * Prisma's schema engine in WebAssembly: it writes the ordinary `_prisma_migrations` table without a native
 * binary. It is loaded only where there is something to apply.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import type { Migration } from "./migrations.js";

/** Applies those of `migrations` that the database lacks, in order, over `adapterFactory`. */
export async function applyMigrations(
  adapterFactory: SqlMigrationAwareDriverAdapterFactory,
  migrations: readonly Migration[],
): Promise<void> {
  const { SchemaEngine } = await loadEngine();
  const engine = await SchemaEngine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(adapterFactory),
  );
  try {
    await engine.applyMigrations({
      migrationsList: {
        baseDir: "prisma/migrations",
        lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
        shadowDbInitScript: "",
        migrationDirectories: migrations.map(({ name, script }) => ({
          path: name,
          migrationFile: { path: "migration.sql", content: { tag: "ok", value: script } },
        })),
      },
      filters: { externalTables: [], externalEnums: [] },
    });
  } finally {
    engine.free();
  }
}

/** The part of the platform's WebAssembly that is used here; Node's types leave it to those of browsers. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

let engineModule: Promise<typeof import("@prisma/schema-engine-wasm/schema_engine_bg")> | undefined;

function loadEngine() {
  engineModule ??= instantiateEngine().catch((error) => {
    // What failed is tried again.
    engineModule = undefined;
    throw error;
  });
  return engineModule;
}

async function instantiateEngine() {
  const glue = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const file = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const { instance } = await WebAssembly.instantiate(
    await readFile(join(dirname(file), "schema_engine_bg.wasm")),
    { "./schema_engine_bg.js": { ...glue } },
  );
  glue.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === "function") start();
  return glue;
}
