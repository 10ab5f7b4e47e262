/**
 * A list says of which moment it is, and a feed goes on from there, while writers never stop. What every list and
 * every feed said is compared with the log at the end.
 */
import { describe, expect, it } from "vitest";
import { appHomes, type TestApp } from "../support/app.js";
import { FEED, type FeedItem, seqOf } from "../support/feeds.js";
import { run } from "../support/plans.js";

interface Logged {
  readonly seq: string;
  readonly planId: string;
  readonly planVersion: number;
  readonly to: { readonly phase: string; readonly state: string };
}

/** What one round was told: the moment, the plans or the counts at it, and the events after it. */
interface Round {
  readonly asOf: number;
  readonly plans?: readonly { readonly id: string; readonly version: number }[];
  readonly counts?: Readonly<Record<string, number>>;
  /** A plan that was read after the moment was fixed: it may be newer. */
  readonly later?: { readonly id: string; readonly version: number };
  readonly followed: readonly number[];
}

const PLANS_IN_PLAY = 8;
const EVENTS_PER_ROUND = 2;
const ROUNDS_AT_ONCE = 20;

const PLANS = "{ plans(first: 100) { asOf edges { node { id version } } } }";
const COUNTS = "{ planCounts { asOf byPhaseAndState { phase state count } } }";
const PLAN = "query($id: ULID!) { asOf plan(id: $id) { id version } }";
const LOG = `query($after: EventCursor) { planEvents(first: 100, after: $after) {
  pageInfo { hasNextPage endCursor } edges { node { seq planId planVersion to { phase state } } } } }`;

describe.each(appHomes)("lists and feeds ($name)", ({ name, start }) => {
  // The embedded database shares its thread with the writers and the clients.
  const rounds = name === "server" ? 500 : 100;

  it(`leave no gap and no double between them, in ${rounds} rounds under writers that never stop`, async () => {
    const app = await start();
    const ids = await Promise.all(Array.from({ length: PLANS_IN_PLAY }, () => created(app)));
    let goesOn = true;
    const writers = [0, 1].map(async (writer) => {
      for (let turn = writer; goesOn; turn += 1) {
        const planId = ids[turn % ids.length];
        if (turn % 20 === writer) await created(app);
        else if (turn % 3 === 0) await run(app, "setTags", { planId, tags: [String(turn)] });
        else await run(app, turn % 2 === 0 ? "startPhase" : "failPhase", move(planId, turn));
      }
    });
    const told = await playRounds(app, rounds, ids);
    goesOn = false;
    await Promise.all(writers);
    const log = await wholeLog(app);
    expect(log.map(({ seq }) => Number(seq))).toEqual(log.map((_, index) => index + 1));
    expect(told.flatMap((round) => faultsOf(round, log))).toEqual([]);
    await app.close();
  }, 240_000);
});

function move(planId: string | undefined, turn: number): object {
  return turn % 2 === 0 ? { planId } : { planId, message: "It went wrong." };
}

async function created(app: TestApp): Promise<string> {
  const input = { actionName: "local/review", projectLinks: [{ projectName: "local/shop" }] };
  return (await run(app, "createPlan", input)).plan.id;
}

/** All feeds run on one socket, some rounds at a time. */
async function playRounds(app: TestApp, rounds: number, ids: readonly string[]): Promise<Round[]> {
  const client = await app.socket();
  const told: Round[] = [];
  for (let first = 0; first < rounds; first += ROUNDS_AT_ONCE) {
    const open = new Map<string, Omit<Round, "followed"> & { readonly followed: number[] }>();
    for (let round = first; round < first + ROUNDS_AT_ONCE; round += 1) {
      const { cursor, ...list } = await read(app, round, ids);
      open.set(String(round), { asOf: seqOf(cursor), followed: [], ...list });
      const variables = { after: cursor, data: false };
      client.send({ id: String(round), type: "subscribe", payload: { query: FEED, variables } });
    }
    told.push(...open.values());
    while (open.size > 0) {
      const { id = "", payload } = await client.next();
      const followed = open.get(id)?.followed;
      if (followed === undefined) continue;
      const item = (payload as { data?: { planEvents: FeedItem } }).data?.planEvents;
      if (item?.__typename !== "PlanEventItem") throw new Error(`There was ${JSON.stringify(payload)}.`);
      if (followed.push(Number(item.event.seq)) < EVENTS_PER_ROUND) continue;
      client.send({ id, type: "complete" });
      open.delete(id);
    }
  }
  client.socket.close();
  await client.closed;
  return told;
}

/** Each of the ways to learn of a moment, in turns. */
async function read(
  app: TestApp,
  round: number,
  ids: readonly string[],
): Promise<Omit<Round, "asOf" | "followed"> & { readonly cursor: string }> {
  if (round % 3 === 0) {
    const { plans } = await app.ask<{
      plans: { asOf: string; edges: { node: { id: string; version: number } }[] };
    }>(PLANS);
    return { cursor: plans.asOf, plans: plans.edges.map(({ node }) => node) };
  }
  if (round % 3 === 1) {
    const { planCounts } = await app.ask<{
      planCounts: { asOf: string; byPhaseAndState: { phase: string; state: string; count: number }[] };
    }>(COUNTS);
    const counts = planCounts.byPhaseAndState.map(({ phase, state, count }) => [`${phase} ${state}`, count]);
    return { cursor: planCounts.asOf, counts: Object.fromEntries(counts) };
  }
  const id = ids[round % ids.length];
  const { asOf, plan } = await app.ask<{ asOf: string; plan: { id: string; version: number } }>(PLAN, { id });
  return { cursor: asOf, later: plan };
}

async function wholeLog(app: TestApp): Promise<Logged[]> {
  const log: Logged[] = [];
  for (let after: string | null = null; ; ) {
    const { planEvents }: { planEvents: EventPage } = await app.ask(LOG, { after });
    log.push(...planEvents.edges.map(({ node }) => node));
    if (!planEvents.pageInfo.hasNextPage) return log;
    after = planEvents.pageInfo.endCursor;
  }
}

interface EventPage {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  readonly edges: readonly { readonly node: Logged }[];
}

function faultsOf({ asOf, plans, counts, later, followed }: Round, log: readonly Logged[]): string[] {
  const latest = new Map(log.slice(0, asOf).map((event) => [event.planId, event]));
  const faults: string[] = [];
  const newest = [...latest.keys()].length;
  if (plans !== undefined && plans.length !== Math.min(newest, 100))
    faults.push(`The list as of ${asOf} has ${plans.length} plans, the log ${newest}.`);
  for (const { id, version } of plans ?? []) {
    const should = latest.get(id)?.planVersion;
    if (version !== should)
      faults.push(`The list as of ${asOf} shows version ${version} of ${id}, not ${should}.`);
  }
  if (counts !== undefined) {
    const should: Record<string, number> = {};
    for (const { to } of latest.values()) {
      const position = `${to.phase} ${to.state}`;
      should[position] = (should[position] ?? 0) + 1;
    }
    if (JSON.stringify(Object.entries(should).sort()) !== JSON.stringify(Object.entries(counts).sort()))
      faults.push(`The counts as of ${asOf} are ${JSON.stringify(counts)}, not ${JSON.stringify(should)}.`);
  }
  if (later !== undefined && later.version < (latest.get(later.id)?.planVersion ?? 0))
    faults.push(`The plan ${later.id} is older than ${asOf} says.`);
  for (const [index, seq] of followed.entries()) {
    if (seq !== asOf + index + 1) faults.push(`The feed after ${asOf} brought ${seq} at place ${index + 1}.`);
  }
  return faults;
}
