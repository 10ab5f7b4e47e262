/**
 * What `npm run bench` starts: installs the peers if they are not there, generates their Prisma client, and runs
 * everything. It imports nothing that would have to be installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const directory = fileURLToPath(new URL(".", import.meta.url));

if (!existsSync(new URL("node_modules", import.meta.url))) {
  step("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}
step(process.execPath, ["generate.mjs"]);
await import("./main.mjs");

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function step(command, args) {
  const { status } = spawnSync(command, args, { cwd: directory, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) process.exit(1);
}
