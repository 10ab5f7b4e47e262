// Runs after each installation of the packages: makes what a first `npm start` would otherwise have to wait for. An
// installation for production has neither Prisma's command line nor the compiler, and gets the server compiled.
import { execSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const has = (/** @type {string} */ file) => existsSync(`${root}/${file}`);
const steps = [
  ...(has("node_modules/prisma") ? ["node scripts/generate-client.mjs"] : []),
  ...(has("node_modules/typescript") ? ["npm run --silent build"] : []),
];

for (const step of steps) execSync(step, { cwd: root, stdio: "inherit" });
if (has("dist/main.js")) execSync("node scripts/make-empty-database.mjs", { cwd: root, stdio: "inherit" });
