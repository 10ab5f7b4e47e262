/** What soaks measure, and how they say it. */
import { readFile } from "node:fs/promises";

/** Measured times in words; all are in milliseconds. */
export function summary(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const [median, late, last] = [at(0.5), at(0.99), at(1)].map((time) => time.toFixed(1));
  return `median ${median} ms, p99 ${late} ms, at most ${last} ms, of ${sorted.length}`;
}

/** The memory that a process holds of the machine's. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

export function mebibytes(bytes: number): number {
  return Math.round(bytes / (1024 * 1024));
}
