/** The process: reads its environment, starts the server, and stops it on SIGTERM and SIGINT. */
import { startApp } from "./app.js";
import { type Config, LONGEST_DELAY, readConfig } from "./config.js";
import { StartRefused } from "./database/start-refused.js";
import { createLog } from "./http/log.js";

const config = readConfig(process.env);
if ("faults" in config) {
  for (const { variable, message } of config.faults) process.stderr.write(`${variable}: ${message}\n`);
  process.exit(1);
}

/** What closing may take after the grace of running work, in milliseconds; compose.yaml grants more than both. */
const CLOSING_MS = 3_000;
const stopLimitMs = Math.min(config.http.shutdownGraceMs + CLOSING_MS, LONGEST_DELAY);

const log = createLog(config.log);
const starting = startApp(config, log);
// From the start on: as the first process of a container, Node would ignore a signal that nothing listens for.
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(signal));
try {
  const app = await starting;
  process.stdout.write(greeting(app.url, config));
} catch (error) {
  const reason = error instanceof StartRefused || isAddressFault(error) ? error.message : null;
  if (reason === null) log.fatal({ err: error }, "could not start");
  else process.stderr.write(`Phaseline did not start: ${reason}\n`);
  process.exit(1);
}

/** Stops the server once it has started; one that does not start ends by itself. Neither outlasts its time. */
async function stop(signal: string): Promise<void> {
  log.info({ signal }, "stopping");
  setTimeout(endAtOnce, stopLimitMs);
  const app = await starting.catch(() => null);
  if (app === null) return;
  try {
    await app.stop();
    process.exit(0);
  } catch (error) {
    log.fatal({ err: error }, "could not stop in good order");
    process.exit(1);
  }
}

/** A statement that waits for a lock, or whatever else is at work, ends with the process; what it did not commit is undone. */
function endAtOnce(): void {
  log.fatal("could not stop in time; what was at work is dropped");
  process.exit(1);
}

function greeting(url: string, { database }: Config): string {
  const data = database.kind === "embedded" ? database.directory : "on the PostgreSQL server of DATABASE_URL";
  return `
  Phaseline is ready.

  playground   ${url}/graphql
  data         ${data}
  try next     open the playground and run its tabs in their order,
               or fill the server with plans: npm run demo${demoAt(url)}

`;
}

/** What the demonstration has to be told where it would not find the server by itself. */
function demoAt(url: string): string {
  return url === "http://127.0.0.1:4000" ? "" : ` -- ${url}`;
}

function isAddressFault(error: unknown): error is NodeJS.ErrnoException {
  const codes = ["EADDRINUSE", "EACCES", "EADDRNOTAVAIL", "ENOTFOUND"];
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
