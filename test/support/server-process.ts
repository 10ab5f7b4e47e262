/** Whole servers in processes of their own, for what only the end of a process can prove. */
import type { Config } from "../../src/config.js";
import { startProcess, type TestProcess } from "./processes.js";

export interface ServerProcess extends TestProcess {
  readonly endpoint: string;
}

/** Starts the compiled server on a database, on any free port; resolves when it listens. */
export async function startServerProcess(
  database: Config["database"],
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const home: Record<string, string> =
    database.kind === "embedded"
      ? { PHASELINE_DATA_DIR: database.directory }
      : { DATABASE_URL: database.url, PHASELINE_POOL_SIZE: String(database.poolSize) };
  const all = { PORT: "0", LOG_LEVEL: "warn", ...home, ...environment };
  const server = startProcess(
    `Object.assign(process.env, ${JSON.stringify(all)}); await dist("main.js"); console.log("started");`,
  );
  await server.printed("started");
  const endpoint = /http:\S+\/graphql/.exec(server.output())?.[0];
  if (endpoint === undefined) throw new Error(`The server does not say where it is:\n${server.output()}`);
  return { ...server, endpoint };
}
