/**
 * Where tests put what they throw away: in memory where the machine has room for it, since a database is hundreds
 * of small files, which a disk takes ten times as long to make; else, or as TMPDIR says, where others do.
 */
import { accessSync, constants, statfsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new directory whose name begins with `prefix`; whoever makes it removes it. */
export function makeScratchDirectory(prefix: string): Promise<string> {
  return mkdtemp(join(scratchPlace(), prefix));
}

const MEMORY = "/dev/shm";
/** A run of all tests takes less than a third of it. */
const ROOM_BYTES = 3 * 2 ** 30;

function scratchPlace(): string {
  if (process.env.TMPDIR) return tmpdir();
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
