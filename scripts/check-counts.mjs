// Compares what triggers keep of the plans, their counts above all, with the plans themselves: `npm run check:counts`, on
// the database that the environment names as for the server (DATABASE_URL, else PHASELINE_DATA_DIR, whose server must be
// stopped). What differs can be made anew from the plans: "SELECT refill_plan_count()", and so for each of the tables.
const from = (/** @type {string} */ module) => import(new URL(`../dist/${module}.js`, import.meta.url).href);
const { readConfig } = await from("config");
const { connectDatabase } = await from("database/connect");
const { compareDerived } = await from("plan/store/derived");

/** All plans are read: that may take longer than any statement of the server. */
const LIMIT_MS = 3_600_000;

const config = readConfig(process.env);
if ("faults" in config) {
  for (const { variable, message } of config.faults) console.error(`${variable}: ${message}`);
  process.exitCode = 1;
} else {
  await check({ ...config.database, statementTimeoutMs: LIMIT_MS }).catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}

/** @param {object} home */
async function check(home) {
  const database = await connectDatabase(home);
  try {
    for (const { table, rows, surplus, missing } of await compareDerived(database)) {
      if (surplus.length === 0 && missing.length === 0) {
        console.log(`${table}: all ${rows} rows are right`);
        continue;
      }
      for (const row of surplus) console.error(`${table}: ${row} is there and should not be`);
      for (const row of missing) console.error(`${table}: ${row} should be there and is not`);
      process.exitCode = 1;
    }
  } finally {
    await database.close();
  }
}
