/** The process: reads its environment, starts the server, and stops it on SIGTERM and SIGINT. */
import { startApp } from "./app.js";
import { type Config, readConfig } from "./config.js";
import { StartRefused } from "./database/start-refused.js";
import { createLog } from "./http/log.js";

const config = readConfig(process.env);
if ("faults" in config) {
  for (const { variable, message } of config.faults) process.stderr.write(`${variable}: ${message}\n`);
  process.exit(1);
}

const log = createLog(config.log);
try {
  const app = await startApp(config, log);
  process.stdout.write(greeting(app.url, config));
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      log.info({ signal }, "stopping");
      app.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.fatal({ err: error }, "could not stop in good order");
          process.exit(1);
        },
      );
    });
  }
} catch (error) {
  const reason = error instanceof StartRefused || isAddressFault(error) ? error.message : null;
  if (reason === null) log.fatal({ err: error }, "could not start");
  else process.stderr.write(`Phaseline did not start: ${reason}\n`);
  process.exit(1);
}

function greeting(url: string, { database }: Config): string {
  const data = database.kind === "embedded" ? database.directory : "on the PostgreSQL server of DATABASE_URL";
  return `
  Phaseline is ready.

  playground   ${url}/graphql
  data         ${data}
  try next     open the playground and run its tabs in their order,
               or fill the server with plans: npm run demo

`;
}

function isAddressFault(error: unknown): error is NodeJS.ErrnoException {
  const codes = ["EADDRINUSE", "EACCES", "EADDRNOTAVAIL", "ENOTFOUND"];
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
