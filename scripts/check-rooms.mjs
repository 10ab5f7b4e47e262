// Fails where a file imports what its room may not know. The first row that fits a file tells which files of the
// project it may know and which packages it may use; a file without a row fails too, so that a new room states its
// place. That imports go in no circle, and that rules read no clock, is for the linter (biome.json).
import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const api = ["graphql", "@pothos/*", "zod"];

/** main → app → http → graphql → rooms → database; inside a room: schema → commands → rules ← store. */
const rows = [
  { files: "src/demo/**", knows: ["src/demo/**"], uses: ["node:**"] },
  {
    files: "src/main.ts",
    knows: ["src/app.ts", "src/config.ts", "src/http/log.ts", "src/database/start-refused.ts"],
    uses: [],
  },
  {
    files: "src/app.ts",
    knows: [
      "src/closers.ts",
      "src/config.ts",
      "src/repeat.ts",
      "src/http/*",
      "src/graphql/*",
      "src/database/*",
      "src/*/*.ts",
      "src/*/store/*",
      "src/*/commands/*",
    ],
    uses: [],
  },
  { files: "src/config.ts", knows: [], uses: ["node:net", "zod"] },
  { files: "src/closers.ts", knows: [], uses: [] },
  { files: "src/repeat.ts", knows: [], uses: [] },
  { files: "src/json-writing.ts", knows: [], uses: [] },

  {
    files: "src/http/*",
    knows: ["src/http/*", "src/execution/*", "src/config.ts", "src/json-writing.ts"],
    uses: ["node:**", "graphql", "graphql-*", "@graphql-yoga/*", "ws", "pino", "pino-pretty"],
  },
  {
    files: "src/execution/*",
    knows: ["src/execution/*", "src/json-writing.ts"],
    uses: ["graphql", "lru-cache"],
  },
  {
    files: "src/graphql/schema.ts",
    knows: ["src/graphql/*", "src/*/schema.ts", "src/*/schema/*"],
    uses: ["graphql"],
  },
  {
    files: "src/graphql/*",
    knows: [
      "src/graphql/*",
      "src/execution/*",
      "src/plan/*",
      "src/plan/commands/*",
      "src/events/*",
      "src/workflow/*",
    ],
    uses: api,
  },

  {
    files: "src/plan/schema/*",
    knows: [
      "src/execution/settled.ts",
      "src/graphql/*",
      "src/plan/*",
      "src/plan/commands/*",
      "src/plan/schema/*",
      "src/workflow/*",
    ],
    uses: api,
  },
  {
    files: "src/plan/commands/*",
    knows: ["src/plan/*", "src/plan/commands/*", "src/workflow/*"],
    uses: ["node:crypto"],
  },
  {
    files: "src/plan/store/*",
    knows: [
      "src/database/**",
      "src/plan/*",
      "src/plan/commands/*",
      "src/plan/store/*",
      "src/workflow/*",
      "src/json-writing.ts",
    ],
    uses: ["lru-cache"],
  },
  {
    files: "src/plan/*",
    knows: ["src/plan/*", "src/workflow/*", "src/json-writing.ts"],
    uses: ["zod", "ulid"],
  },

  {
    files: "src/events/schema.ts",
    knows: ["src/graphql/*", "src/events/*", "src/plan/*", "src/plan/schema/*"],
    uses: api,
  },
  {
    files: "src/events/store.ts",
    knows: ["src/database/*", "src/events/*", "src/plan/*", "src/plan/store/*"],
    uses: [],
  },
  { files: "src/events/*", knows: ["src/events/*", "src/plan/*", "src/repeat.ts"], uses: [] },

  // The format of workflow plans knows nothing of plans, whose rules know it; its schema and store know both.
  {
    files: "src/workflow/schema/*",
    knows: [
      "src/graphql/*",
      "src/plan/*",
      "src/plan/schema/*",
      "src/workflow/*",
      "src/workflow/model/*",
      "src/workflow/schema/*",
    ],
    uses: api,
  },
  {
    files: "src/workflow/store.ts",
    knows: ["src/database/*", "src/plan/store/*", "src/workflow/*"],
    uses: [],
  },
  { files: "src/workflow/frozen-plans.ts", knows: ["src/workflow/*"], uses: ["lru-cache"] },
  { files: "src/workflow/*", knows: ["src/workflow/*", "src/workflow/model/*"], uses: ["node:crypto"] },
  { files: "src/workflow/model/*", knows: ["src/workflow/*", "src/workflow/model/*"], uses: [] },

  {
    files: "src/metrics/*",
    knows: ["src/metrics/*", "src/events/observer.ts", "src/http/close-codes.ts"],
    uses: ["prom-client"],
  },
  {
    files: "src/database/*",
    knows: ["src/database/**", "src/closers.ts", "src/config.ts", "src/repeat.ts"],
    uses: ["node:**", "@prisma/**", "@electric-sql/pglite", "pg", "pglite-prisma-adapter", "lru-cache"],
  },
];

const root = fileURLToPath(new URL("..", import.meta.url));
const names = (await readdir(join(root, "src"), { recursive: true })).map((name) => join("src", name));
const files = names.filter((name) => name.endsWith(".ts") && !name.startsWith("src/database/generated/"));
const faults = (await Promise.all(files.map(faultsOf))).flat();

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

/** @param {string} file */
async function faultsOf(file) {
  const row = rows.find(({ files: pattern }) => fits(file, pattern));
  if (row === undefined) return [`${file} belongs to no room of scripts/check-rooms.mjs`];
  const specifiers = importsOf(await readFile(join(root, file), "utf8"));
  return specifiers.flatMap((specifier) => {
    const isOurs = specifier.startsWith(".");
    const name = isOurs ? sourceOf(file, specifier) : specifier;
    const allowed = (isOurs ? row.knows : row.uses).some((pattern) => fits(name, pattern));
    return allowed ? [] : [`${file} may not import ${name} (scripts/check-rooms.mjs, ${row.files})`];
  });
}

/** @param {string} text */
function importsOf(text) {
  const matches = text.matchAll(
    /^(?:import|\} from|export [^"\n]*? from)\b[^"\n]*"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...matches].map(([, statically, dynamically]) => statically ?? dynamically ?? "");
}

/**
 * @param {string} file
 * @param {string} specifier
 */
function sourceOf(file, specifier) {
  return relative(root, resolve(root, file, "..", specifier)).replace(/\.js$/, ".ts");
}

/**
 * `*` stands for anything but a slash, `**` for anything.
 * @param {string} name
 * @param {string} pattern
 */
function fits(name, pattern) {
  const source = pattern
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, (stars) => (stars === "*" ? "[^/]*" : ".*"));
  return new RegExp(`^${source}$`).test(name);
}
