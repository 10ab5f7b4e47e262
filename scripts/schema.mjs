// Writes schema.graphql from the compiled code, or with --check fails where the file no longer says the same.
import { readFile, writeFile } from "node:fs/promises";

const file = new URL("../schema.graphql", import.meta.url);
const { printedSchema } = await import(new URL("../dist/graphql/schema.js", import.meta.url).href);
const printed = printedSchema();

if (!process.argv.includes("--check")) {
  await writeFile(file, printed);
} else if ((await readFile(file, "utf8").catch(() => "")) !== printed) {
  console.error('schema.graphql is not what the code says; write it again with "npm run schema".');
  process.exitCode = 1;
}
