/**
 * The server compiled for one run of the tests, for those that need processes of it. It is not the check of
 * types, and it leaves `dist` alone: runs beside each other must not write the same files.
 */
import { execFile } from "node:child_process";
import { mkdir, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface Build {
  /** The folder that stands for `dist`. */
  readonly directory: string;
  remove(): Promise<void>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));

export async function buildServer(): Promise<Build> {
  const home = join(root, "node_modules", ".cache", `phaseline-test-${process.pid}`);
  const directory = join(home, "dist");
  await rm(home, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  // What the server reads beside its own files, where it expects it.
  await Promise.all(
    ["package.json", "prisma", "node_modules"].map((name) => symlink(join(root, name), join(home, name))),
  );
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin",
    "tsc",
  );
  await promisify(execFile)(process.execPath, [compiler, "--noCheck", "--noResolve", "--outDir", directory], {
    cwd: root,
  });
  return { directory, remove: () => rm(home, { recursive: true, force: true }) };
}
