// Generates the Prisma client, without the network: the command line looks for a native schema engine that
// `generate` never runs, so any existing executable serves. An installation for production has no Prisma
// command line, and gets the client compiled: there is nothing to do.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const commandLine = findCommandLine();

if (commandLine) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [commandLine, "generate", "--no-hints"], {
    cwd: root,
    env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1", ...process.env },
    encoding: "utf8",
  });
  if (status !== 0) {
    console.error(`The Prisma client could not be generated:\n${stdout}${stderr}`);
    process.exitCode = 1;
  }
}

function findCommandLine() {
  try {
    const manifest = createRequire(import.meta.url).resolve("prisma/package.json");
    return join(dirname(manifest), "build", "index.js");
  } catch {
    return undefined;
  }
}
