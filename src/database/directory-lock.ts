/**
 * One process on one directory. Each process that wants the directory listens on a socket of its own in the
 * directory's `lock` folder, named after its pid, and then looks for other sockets that answer. The kernel
 * answers for a living process, however busy it is and whatever its pid is called in another container, and
 * stops in the moment the process dies. docs/decisions/directory-lock.md says what else was considered.
 */
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { createConnection, createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { StartRefused } from "./start-refused.js";

/** Two processes that start at once may each see the other and step back; they try again, at random moments. */
const attempts = 5;
const longestPauseMs = 200;

/**
 * Takes `directory`, which is made if need be, for this process; resolves to the function that gives it back.
 * Rejects with {@link StartRefused} while another process, or another caller in this one, has it.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  try {
    const folder = join(directory, "lock");
    await makeFolder(folder);
    return await claimAlone(folder, directory);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof StartRefused) throw error;
    throw new StartRefused(`the directory ${directory} cannot be locked: ${error.message}`, { cause: error });
  }
}

/** Node's own `recursive` never ends where the system lets nobody make a directory, as in `/proc`. */
async function makeFolder(path: string, mayMakeParents = true): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || !mayMakeParents) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path, false);
  }
}

async function claimAlone(folder: string, directory: string): Promise<() => Promise<void>> {
  for (let attempt = 1; ; attempt += 1) {
    const claim = await listenIn(folder);
    try {
      const holder = await findOther(folder, claim.name);
      if (holder === undefined && (await exists(join(folder, claim.name)))) return claim.release;
      if (holder !== undefined && attempt >= attempts) {
        throw new StartRefused(`another Phaseline process (pid ${holder}) is using ${directory}`);
      }
    } catch (error) {
      await claim.release();
      throw error;
    }
    await claim.release();
    await pause(Math.random() * longestPauseMs);
  }
}

interface Claim {
  readonly name: string;
  release(): Promise<void>;
}

/** Publishes this process: from when it resolves, every other one finds it. */
async function listenIn(folder: string): Promise<Claim> {
  const name = `${process.pid}-${randomBytes(6).toString("hex")}`;
  const server = createServer((visitor) => visitor.destroy());
  server.unref();
  await withShortPath(folder, name, async (path) => {
    await new Promise<void>((resolve, reject) => {
      // Also later: an error that nobody listens for would end the process.
      server.on("error", reject);
      server.listen({ path }, resolve);
    });
  });
  return {
    name,
    release: async () => {
      await closed(server);
      await rm(join(folder, name), { force: true });
    },
  };
}

/** The pid of a living process in `folder` other than `own`. Sockets of dead ones are removed: none comes back. */
async function findOther(folder: string, own: string): Promise<string | undefined> {
  for (const name of await readdir(folder)) {
    if (name === own) continue;
    if (await withShortPath(folder, name, answers)) return name.split("-", 1)[0];
    await rm(join(folder, name), { force: true });
  }
  return undefined;
}

/** Only a refused connection and a missing file prove that nobody listens; anything else may be a living process. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code !== "ECONNREFUSED" && error.code !== "ENOENT");
    });
  });
}

/** A socket's path is limited to about 100 bytes; Linux knows a short one for every open directory. */
async function withShortPath<Result>(
  folder: string,
  name: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, name);
  if (Buffer.byteLength(path) < 100 || process.platform !== "linux") return use(path);
  const handle = await open(folder);
  try {
    return await use(`/proc/self/fd/${handle.fd}/${name}`);
  } finally {
    await handle.close();
  }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
