// What prisma/schema.prisma says and prisma/migrations do not: the one question behind "make a migration" and
// "check the migrations". The schema engine asks a database in memory on which it played the migrations.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { PrismaPGlite } from "pglite-prisma-adapter";

const schemaFile = fileURLToPath(new URL("../prisma/schema.prisma", import.meta.url));
export const migrationsFolder = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

/** The SQL that leads from the migrations to the schema; an empty text where they agree. */
export async function schemaDifference() {
  const database = await PGlite.create("memory://");
  try {
    const { SchemaEngine } = await loadEngine();
    const engine = await SchemaEngine.new(
      { datamodels: undefined },
      () => undefined,
      bindMigrationAwareSqlAdapterFactory(adapterFactory(database)),
    );
    const { stdout } = await engine.diff({
      from: { tag: "migrations", ...(await migrationList()) },
      to: {
        tag: "schemaDatamodel",
        files: [{ path: schemaFile, content: await readFile(schemaFile, "utf8") }],
      },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    const script = stdout?.trim() ?? "";
    return script === "-- This is an empty migration." ? "" : script;
  } finally {
    await database.close();
  }
}

/**
 * The adapter's own `executeScript` does not wait for the script, and its shadow database is a second one.
 * @param {PGlite} database
 * @returns {import("@prisma/driver-adapter-utils").SqlMigrationAwareDriverAdapterFactory}
 */
function adapterFactory(database) {
  const factory = new PrismaPGlite(database);
  const connect = async () =>
    Object.assign(await factory.connect(), {
      executeScript: async (/** @type {string} */ script) => {
        await database.exec(script);
      },
    });
  return { provider: "postgres", adapterName: factory.adapterName, connect, connectToShadowDb: connect };
}

/** @returns {Promise<import("@prisma/schema-engine-wasm/schema_engine_bg").MigrationList>} */
async function migrationList() {
  const entries = await readdir(migrationsFolder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return {
    baseDir: migrationsFolder,
    lockfile: {
      path: "migration_lock.toml",
      content: await readFile(join(migrationsFolder, "migration_lock.toml"), "utf8"),
    },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(
      names.sort().map(async (name) => ({
        path: name,
        migrationFile: {
          path: "migration.sql",
          content: {
            tag: "ok",
            value: await readFile(join(migrationsFolder, name, "migration.sql"), "utf8"),
          },
        },
      })),
    ),
  };
}

async function loadEngine() {
  const glue = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const file = new URL(
    "schema_engine_bg.wasm",
    import.meta.resolve("@prisma/schema-engine-wasm/schema_engine_bg"),
  );
  const { instance } = await WebAssembly.instantiate(await readFile(file), { "./schema_engine_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === "function") start();
  return glue;
}
