// Runs one of the long tests of test/soak, or all of them: `npm run soak -- oracle 600` lets the oracle write for
// ten minutes. The second argument is in seconds; each has a length of its own without it.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const [name = "", seconds = ""] = process.argv.slice(2);
const root = fileURLToPath(new URL("..", import.meta.url));
const vitest = fileURLToPath(new URL("node_modules/vitest/vitest.mjs", `file://${root}`));
const run = spawn(process.execPath, [vitest, "run", "--config", "test/soak/vitest.config.ts", name], {
  cwd: root,
  env: { ...process.env, SOAK_SECONDS: seconds },
  stdio: "inherit",
});
run.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
