/** Changes to a server's database that no command makes. The server stands still for them, as its home may ask. */
import { connectDatabase } from "../../src/database/connect.js";
import { type AppOptions, startTestApp, type TestApp } from "./app.js";

/** Stops the server, runs the statements on its database, and starts it again on the same one. */
export async function restartAltered(
  app: TestApp,
  statements: readonly string[],
  options: AppOptions = {},
): Promise<TestApp> {
  await app.stop();
  const database = await connectDatabase(app.place.config);
  try {
    await database.transaction(async (tx) => {
      for (const statement of statements) await tx.$executeRawUnsafe(statement);
    });
  } finally {
    await database.close();
  }
  return startTestApp(app.place, options);
}
