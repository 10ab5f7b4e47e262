/** Processes of a test: told what to do by a piece of code over the compiled server, watched by their lines. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { inject } from "vitest";

export interface TestProcess {
  readonly pid: number;
  /** Resolves when the process has printed `line`; rejects when it exits without. */
  printed(line: string): Promise<void>;
  /** All that it printed, on both streams. */
  output(): string;
  /** Sends a signal and resolves when the process is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Resolves to the exit code; null after a signal. */
  exited(): Promise<number | null>;
}

/** Runs `code` in a Node process of its own; `dist("database/connect.js")` in it is a module of the server. */
export function startProcess(code: string): TestProcess {
  const dist = JSON.stringify(pathToFileURL(`${inject("builtServer")}/`).href);
  const prelude = `const dist = (path) => import(new URL(path, ${dist}).href);`;
  return watch(
    spawn(process.execPath, ["--input-type=module", "--eval", `${prelude}\n${code}`], {
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
}

function watch(child: ChildProcess): TestProcess {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const changed = () => {
    for (const check of waiting) check();
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) throw new Error("the process has no output");
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      changed();
    });
  }
  const closed = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      resolve(code);
      changed();
    });
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("the process did not start");
  return {
    pid,
    printed: (line) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (lines.includes(line)) resolve();
          else if (child.exitCode !== null || child.signalCode !== null) {
            reject(new Error(`the process ended without "${line}":\n${lines.join("\n")}`));
          } else return;
          waiting.delete(check);
        };
        waiting.add(check);
        check();
      }),
    output: () => lines.join("\n"),
    kill: async (signal) => {
      child.kill(signal);
      await closed;
    },
    exited: () => closed,
  };
}
