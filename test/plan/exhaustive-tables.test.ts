/**
 * The tables of the lifecycle are `Record`s over the words of the domain (`Record<PlanPhase, …>`,
 * `Record<StateCommand, Record<PlanState, …>>`), and the words are derived from lists: a word that is added to its
 * list is missing as a key wherever a table has no row for it, and the compiler says so. Here it is made to.
 */
import { execFile } from "node:child_process";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeScratchDirectory } from "../support/scratch.js";

const rules = fileURLToPath(new URL("../../src/plan", import.meta.url));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin",
  "tsc",
);

/** A new word, the file and the end of the list that it is added to, and the table that then lacks a row. */
const NEW_WORDS = [
  { word: "PAUSED", file: "plan.ts", after: '"CANCELLED"]', table: "lifecycle.ts" },
  { word: "REVIEW", file: "plan.ts", after: '"APPLIED"]', table: "lifecycle.ts" },
  { word: "SUPERVISED", file: "plan.ts", after: '"FULL_AUTOMATION"]', table: "automation.ts" },
  { word: "PAUSE_PLAN", file: "lifecycle.ts", after: '"UNARCHIVE_PLAN",\n]', table: "lifecycle.ts" },
];

describe("the tables", () => {
  let folder: string;
  let complaints: readonly string[];

  beforeAll(async () => {
    folder = await makeScratchDirectory("phaseline-tables-");
    await cp(join(rules, "../workflow"), join(folder, "workflow"), { recursive: true });
    await copyRules("sound");
    for (const { word, file, after } of NEW_WORDS) {
      await copyRules(word);
      const path = join(folder, word, file);
      const source = await readFile(path, "utf8");
      expect(source).toContain(after);
      const longer = after.replace(/,?\s*\]$/, `, "${word}"]`);
      await writeFile(path, source.replace(after, longer));
    }
    complaints = await compile(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("compile as they are", () => {
    expect(complaints.filter((line) => line.startsWith("sound/"))).toEqual([]);
  });

  it.each(NEW_WORDS)("do not compile without a row for $word", ({ word, table }) => {
    const missing = complaints.filter((line) => line.startsWith(`${word}/${table}`) && line.includes(word));
    expect(missing).not.toEqual([]);
  });

  async function copyRules(name: string): Promise<void> {
    for (const file of ["plan.ts", "refusals.ts", "lifecycle.ts", "automation.ts"]) {
      await cp(join(rules, file), join(folder, name, file));
    }
  }
});

/** The errors of the compiler, one a line; each names its file. */
async function compile(folder: string): Promise<readonly string[]> {
  const settings = { strict: true, noEmit: true, target: "ES2023", module: "NodeNext", types: [] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: settings }));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, "--pretty", "false"], { cwd: folder }, (_failure, output) => {
      resolve(output.split("\n").filter((line) => line !== ""));
    });
  });
}
