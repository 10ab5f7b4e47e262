/** Opens the database that the configuration names, brought up to date. */
import type { Config } from "../config.js";
import type { Database } from "./database.js";
import { openEmbedded } from "./embedded.js";
import type { DatabaseObserver } from "./prisma-client.js";
import { openServer } from "./server.js";

/** Rejects with `StartRefused` where a person must mend something first. */
export async function connectDatabase(
  config: Config["database"],
  observer: DatabaseObserver = {},
): Promise<Database> {
  return config.kind === "embedded" ? openEmbedded(config.directory, observer) : openServer(config, observer);
}
