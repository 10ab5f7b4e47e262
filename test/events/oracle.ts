/**
 * The oracle: server processes on one database, writers that never rest, subscribers that come and go between the
 * processes, and processes that are killed meanwhile. At the end it tells from the log what each subscriber should
 * have got. A seed repeats its choices, though not the timing of the machine.
 */
import { administrate, type DatabasePlace } from "../support/databases.js";
import { type Random, randomOf } from "../support/random.js";
import { type ServerProcess, startServerProcess } from "../support/server-process.js";
import { type Arena, Follower, pause, type Tally, write } from "./oracle-clients.js";
import { anyFilter, type LogRow, picks, READ_LOG } from "./oracle-filters.js";

export interface OracleOptions {
  readonly place: DatabasePlace<"server">;
  readonly seed: number;
  readonly servers: number;
  readonly writers: number;
  readonly followers: number;
  /** The least time between two kills, in milliseconds; the most is twice that. */
  readonly killEveryMs: number;
  /** Whether the writers have written enough; asked again and again. */
  readonly isEnough: (progress: Progress) => boolean;
}

export interface Progress {
  readonly acknowledged: number;
  readonly connections: number;
  readonly kills: number;
}

export interface OracleReport extends Progress {
  /** What must not be, in words; empty where all is well. */
  readonly faults: readonly string[];
  readonly events: number;
  readonly unknown: number;
  readonly delivered: number;
}

/** How long a subscriber may take to catch up once nobody writes any more. */
const CATCH_UP_MS = 45_000;

export async function consultOracle(options: OracleOptions): Promise<OracleReport> {
  const random = randomOf(options.seed);
  const tally: Tally = { acknowledged: [], unknown: 0 };
  const start = () => startServerProcess(options.place.config, { LOG_LEVEL: "silent" });
  const servers = await Promise.all(Array.from({ length: options.servers }, start));
  const endpoints = () => servers.map(({ endpoint }) => endpoint);
  try {
    const plans: string[] = [];
    await write({ endpoints, goesOn: () => plans.length < 5 }, random, plans, tally);
    const followers = Array.from(
      { length: options.followers },
      (_, index) => new Follower(anyFilter(random, plans), randomOf(options.seed + 1_000 + index)),
    );
    let kills = 0;
    const progress = (): Progress => ({
      acknowledged: tally.acknowledged.length,
      connections: followers.reduce((sum, { connections }) => sum + connections, 0),
      kills,
    });
    const arena: Arena = { endpoints, goesOn: () => !options.isEnough(progress()) };
    await Promise.all([
      killAtRandom(servers, start, arena, random, options.killEveryMs, () => {
        kills += 1;
      }),
      ...Array.from({ length: options.writers }, (_, index) =>
        write(arena, randomOf(options.seed + 1 + index), plans, tally),
      ),
      ...followers.map((follower) => follower.follow(arena)),
    ]);
    const log = await readLog(options.place);
    const deadline = Date.now() + CATCH_UP_MS;
    const late: Arena = { endpoints, goesOn: () => Date.now() < deadline };
    await Promise.all(followers.map((each) => each.catchUp(late, expected(each, log).length)));
    return {
      faults: [...faultsOfLog(log, tally), ...followers.flatMap((each) => faultsOf(each, log))],
      ...progress(),
      events: log.length,
      unknown: tally.unknown,
      delivered: followers.reduce((sum, { seqs }) => sum + seqs.length, 0),
    };
  } finally {
    await Promise.all(servers.map((server) => server.kill("SIGKILL")));
  }
}

/** Kills one server after the other, each replaced before the next. */
async function killAtRandom(
  servers: ServerProcess[],
  start: () => Promise<ServerProcess>,
  arena: Arena,
  random: Random,
  everyMs: number,
  onReplaced: () => void,
): Promise<void> {
  for (;;) {
    const until = Date.now() + everyMs + random.below(everyMs);
    while (Date.now() < until && arena.goesOn()) await pause(20);
    if (!arena.goesOn()) return;
    const index = random.below(servers.length);
    await servers[index]?.kill("SIGKILL");
    servers[index] = await start();
    onReplaced();
  }
}

async function readLog(place: DatabasePlace<"server">): Promise<LogRow[]> {
  const { rows } = await administrate((admin) => admin.query<LogRow>(READ_LOG), place.config.url);
  return rows;
}

/** The log is 1..N, each plan's versions too, and all that was acknowledged is in it. */
function faultsOfLog(log: readonly LogRow[], { acknowledged }: Tally): string[] {
  const versions = new Map<string, number>();
  const faults: string[] = [];
  for (const [index, { seq, plan_id, plan_version }] of log.entries()) {
    if (Number(seq) !== index + 1) faults.push(`Place ${index + 1} of the log has seq ${seq}.`);
    const before = versions.get(plan_id) ?? 0;
    if (plan_version !== before + 1)
      faults.push(`${plan_id} went from version ${before} to ${plan_version}.`);
    versions.set(plan_id, plan_version);
  }
  for (const { planId, version, seq } of acknowledged) {
    // A command may make several events; the reply names the last one.
    const row = log[seq - 1];
    if (row?.plan_id !== planId || row.plan_version !== version)
      faults.push(`The acknowledged version ${version} of ${planId} is not at ${seq}.`);
  }
  return faults;
}

function expected({ begunAt, filter }: Follower, log: readonly LogRow[]): number[] {
  if (begunAt === null) return [];
  return log.filter((row) => Number(row.seq) > begunAt && picks(filter, row)).map(({ seq }) => Number(seq));
}

function faultsOf(follower: Follower, log: readonly LogRow[]): string[] {
  const should = expected(follower, log);
  const got = follower.seqs;
  if (follower.begunAt === null) return ["A subscriber never got anything."];
  const first = should.findIndex((seq, index) => got[index] !== seq);
  const place = first === -1 ? should.length : first;
  if (first === -1 && got.length === should.length) return follower.faults;
  return [
    ...follower.faults,
    `After ${begun(follower)} the event at place ${place} should be ${should[place]}, but is ${got[place]}.`,
  ];
}

function begun({ begunAt, filter }: Follower): string {
  return `${begunAt} by the filter ${JSON.stringify(filter)}`;
}
