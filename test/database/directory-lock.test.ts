import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockDirectory } from "../../src/database/directory-lock.js";
import { StartRefused } from "../../src/database/start-refused.js";
import { startProcess, type TestProcess } from "../support/processes.js";
import { makeScratchDirectory } from "../support/scratch.js";

describe("the lock of a directory", () => {
  let directory: string;
  let processes: TestProcess[];

  beforeEach(async () => {
    directory = await makeScratchDirectory("phaseline-lock-");
    processes = [];
  });

  afterEach(async () => {
    await Promise.all(processes.map((child) => child.kill("SIGKILL")));
    await rm(directory, { recursive: true, force: true });
  });

  /** A process that locks the directory, says so, and then stays; `stall` never lets its event loop turn again. */
  function holder({ stall = false } = {}): TestProcess {
    const child = startProcess(`
      const { lockDirectory } = await dist("database/directory-lock.js");
      try {
        await lockDirectory(${JSON.stringify(directory)});
        console.log("locked");
        ${stall ? "for (;;);" : "setInterval(() => undefined, 1_000);"}
      } catch (error) {
        console.log(error.message);
      }
    `);
    processes.push(child);
    return child;
  }

  it("refuses a second process and names the first by its pid", async () => {
    const first = holder();
    await first.printed("locked");
    await expect(lockDirectory(directory)).rejects.toThrow(
      new StartRefused(`another Phaseline process (pid ${first.pid}) is using ${directory}`),
    );
  });

  it("refuses a second owner in the same process", async () => {
    const unlock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow(`(pid ${process.pid})`);
    await unlock();
  });

  it("is free again once it was given back, and leaves nothing behind", async () => {
    await (await lockDirectory(directory))();
    await (await lockDirectory(directory))();
    expect(await readdir(join(directory, "lock"))).toEqual([]);
  });

  it("is taken over from an owner that was killed", async () => {
    const first = holder();
    await first.printed("locked");
    await first.kill("SIGKILL");
    await (await lockDirectory(directory))();
  });

  it("stays with an owner whose event loop stands still", async () => {
    const first = holder({ stall: true });
    await first.printed("locked");
    await expect(lockDirectory(directory)).rejects.toThrow(`(pid ${first.pid})`);
  });

  it("stays with an owner that is stopped", async () => {
    const first = holder();
    await first.printed("locked");
    process.kill(first.pid, "SIGSTOP");
    await expect(lockDirectory(directory)).rejects.toThrow(`(pid ${first.pid})`);
  });

  it("is taken over from a dead owner whose pid is now this process's own", async () => {
    await mkdir(join(directory, "lock"));
    await writeFile(join(directory, "lock", `${process.pid}-000000000000`), "");
    await (await lockDirectory(directory))();
  });

  it("goes to exactly one of several processes that start at once", async () => {
    const racers = Array.from({ length: 5 }, () => holder());
    const outcomes = await Promise.all(
      racers.map((racer) => Promise.race([racer.printed("locked").then(() => "locked"), racer.exited()])),
    );
    expect(outcomes.filter((outcome) => outcome === "locked")).toHaveLength(1);
  });

  it("holds in a directory whose path is longer than a socket's may be", async () => {
    const deep = join(directory, ..."a-long-name-for-a-directory/".repeat(5).split("/"));
    const unlock = await lockDirectory(deep);
    await expect(lockDirectory(deep)).rejects.toThrow(StartRefused);
    await unlock();
  });

  it("says in one line that a directory cannot be locked", async () => {
    await writeFile(join(directory, "file"), "");
    await expect(lockDirectory(join(directory, "file"))).rejects.toThrow(StartRefused);
    await expect(lockDirectory("/proc/phaseline")).rejects.toThrow(
      /^the directory \/proc\/phaseline cannot be locked: .+$/,
    );
  });
});
