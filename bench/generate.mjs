/**
 * Generates the Prisma client of the peers from the product's own schema, which stands in one place alone. Works
 * without the network: the command line looks for a native engine that `generate` never runs.
 */
import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const directory = fileURLToPath(new URL("generated/", import.meta.url));
const GENERATORS = `generator client {
  provider = "prisma-client-js"
  output   = "./client"
}

generator pothos {
  provider          = "prisma-pothos-types"
  generateDatamodel = true
}
`;

const schema = await readFile(new URL("../prisma/schema.prisma", import.meta.url), "utf8");
await mkdir(directory, { recursive: true });
await writeFile(
  join(directory, "schema.prisma"),
  schema.replace(/^generator client \{[^}]*\}\n/m, GENERATORS),
);

const manifest = createRequire(import.meta.url).resolve("prisma/package.json");
// Generators are found as commands of the package.
const path = [fileURLToPath(new URL("node_modules/.bin", import.meta.url)), process.env.PATH].join(delimiter);
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [
    join(dirname(manifest), "build", "index.js"),
    "generate",
    "--no-hints",
    "--schema",
    "generated/schema.prisma",
  ],
  {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: {
      ...process.env,
      PATH: path,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: "1",
    },
    encoding: "utf8",
  },
);
if (status !== 0) {
  console.error(`The Prisma client of the peers could not be generated:\n${stdout}${stderr}`);
  process.exitCode = 1;
}
