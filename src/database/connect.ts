/** Opens the database that the configuration names, brought up to date. */
import type { Config } from "../config.js";
import type { Database } from "./database.js";
import { openEmbedded } from "./embedded.js";
import type { DatabaseObserver } from "./prisma-client.js";
import { openServer } from "./server.js";
import { StartRefused } from "./start-refused.js";

/** Rejects with `StartRefused` where a person must mend something first. */
export async function connectDatabase(
  config: Config["database"],
  observer: DatabaseObserver = {},
): Promise<Database> {
  try {
    return await (config.kind === "embedded"
      ? openEmbedded(config.directory, observer)
      : openServer(config, observer));
  } catch (error) {
    const refusal = refusalOf(error, config);
    throw refusal === null ? error : new StartRefused(refusal, { cause: error });
  }
}

/** What a person can mend; null for a failure of another kind. */
function refusalOf(error: unknown, config: Config["database"]): string | null {
  if (error instanceof StartRefused || !(error instanceof Error)) return null;
  const place = config.kind === "embedded" ? config.directory : "of DATABASE_URL";
  switch ("code" in error ? error.code : undefined) {
    case "42501":
      return `the role of DATABASE_URL may not make the tables of Phaseline: ${error.message}`;
    case "53100":
    case "ENOSPC":
      return `the disk of the database ${place} is full: ${error.message}`;
    default:
      return refusalOf(error.cause, config);
  }
}
