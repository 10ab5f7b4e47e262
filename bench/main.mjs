/** Runs the works one after the other and says what came out. `start.mjs` prepares what this one imports. */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { openLoad } from "./load/load.mjs";
import { readOptions } from "./machinery/options.mjs";
import { startPostgres } from "./machinery/postgres.mjs";
import { resultsPage, tableOf } from "./machinery/table.mjs";
import { works } from "./works/works.mjs";

/**
 * @typedef {object} Run What the works of one run have in common.
 * @property {import("./machinery/options.mjs").Options} options
 * @property {import("./machinery/postgres.mjs").Postgres} postgres
 * @property {import("./load/load.mjs").Load} load
 * @property {(text: string) => void} note Something to know about the rows that are being made.
 */

/**
 * @template Place
 * @typedef {object} Work
 * @property {string} name As `--only` names it.
 * @property {string} title
 * @property {(run: Run) => Promise<Place>} open Makes the place where it is measured: databases and servers. Works
 *   beside each other that have the same one share it.
 * @property {(place: Place, run: Run) => Promise<import("./machinery/rows.mjs").Row[]>} measure
 */

const options = readOptions(
  process.argv.slice(2),
  works.map(({ name }) => name),
);
const began = performance.now();
/** @type {string[]} */
const notes = [];
/** @param {string} text */
function note(text) {
  notes.push(text);
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${text}\n`);
}

const postgres = await startPostgres();
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  // All other processes end with their channels to this one.
  process.once(signal, () => postgres.stop().finally(() => process.exit(1)));
}
const load = openLoad();
/** @type {Run} */
const run = { options, postgres, load, note };
/** @type {import("./machinery/rows.mjs").Row[]} */
const rows = [];
/** @type {{ open: unknown, place: any } | undefined} */
let here;
try {
  for (const work of works.filter(({ name }) => options.only === null || options.only === name)) {
    note(`${work.name}: ${work.title}`);
    if (here?.open !== work.open) {
      await here?.place.close();
      here = undefined;
      here = { open: work.open, place: await work.open(run) };
    }
    rows.push(...(await work.measure(here.place, run)));
  }
} finally {
  await here?.place.close();
  load.close();
  await postgres.stop();
}

const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
  cwd: fileURLToPath(new URL(".", import.meta.url)),
  encoding: "utf8",
});
const outcome = { commit: commit.trim(), node: process.version, cpus: availableParallelism(), rows };
process.stdout.write(`\n${tableOf(rows)}\n`);
if (options.json !== null) await writeFile(options.json, `${JSON.stringify(outcome, null, 2)}\n`);
if (!options.quick && options.only === null) {
  await writeFile(
    fileURLToPath(new URL("RESULTS.md", import.meta.url)),
    resultsPage(outcome, notes, options),
  );
}
