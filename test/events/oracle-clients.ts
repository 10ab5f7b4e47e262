/** The oracle's clients: writers that note what was acknowledged, and followers that come and go as they like. */
import { type FeedItem, type OpenFeed, openFeed, seqOf, TRANSPORTS } from "../support/feeds.js";
import { post } from "../support/http.js";
import type { Random } from "../support/random.js";
import { ACTIONS, type OracleFilter, PROJECTS, TAGS } from "./oracle-filters.js";

/** What they all share: where the servers are now, and whether it goes on. */
export interface Arena {
  readonly endpoints: () => readonly string[];
  readonly goesOn: () => boolean;
}

/** A command whose success was told to its writer. */
export interface Acknowledged {
  readonly planId: string;
  readonly version: number;
  readonly seq: number;
}

export interface Tally {
  readonly acknowledged: Acknowledged[];
  /** Commands whose reply was lost: they may or may not be in the log. */
  unknown: number;
}

const COMMANDS = [
  "startPhase",
  "completePhase",
  "failPhase",
  "retryPhase",
  "setTags",
  "advancePlan",
] as const;

/** Makes and moves plans, one command after the other, on any of the servers. */
export async function write(arena: Arena, random: Random, plans: string[], tally: Tally): Promise<void> {
  while (arena.goesOn()) {
    const [mutation, input] = anyCommand(random, plans);
    const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
    const query = `mutation($input: ${type}!) { outcome: ${mutation}(input: $input) {
      ... on CommandSuccess { cursor plan { id version } } } }`;
    try {
      const { body } = await post(random.pick(arena.endpoints()), { query, variables: { input } });
      const outcome = body.data?.outcome as { cursor?: string; plan?: { id: string; version: number } };
      if (outcome?.cursor !== undefined && outcome.plan !== undefined) {
        const { id, version } = outcome.plan;
        tally.acknowledged.push({ planId: id, version, seq: seqOf(outcome.cursor) });
        if (mutation === "createPlan") plans.push(id);
      }
    } catch {
      tally.unknown += 1;
    }
    await pause(random.below(30));
  }
}

function anyCommand(random: Random, plans: readonly string[]): [mutation: string, input: object] {
  const tags = [random.pick(TAGS)];
  if (plans.length === 0 || random.chance(0.2)) {
    const parentPlanId = plans.length > 0 && random.chance(0.3) ? random.pick(plans) : null;
    const projectLinks = [{ projectName: random.pick(PROJECTS) }];
    const automationLevel = random.pick(["MANUAL", "FULL_AUTOMATION"]);
    return [
      "createPlan",
      { actionName: random.pick(ACTIONS), projectLinks, tags, parentPlanId, automationLevel },
    ];
  }
  // The newest plans move most: the old ones are final, or wait for nobody.
  const recent = plans.slice(-20);
  const planId = random.pick(random.chance(0.8) ? recent : plans);
  const mutation = random.pick(COMMANDS);
  if (mutation === "failPhase") return [mutation, { planId, message: "It went wrong." }];
  if (mutation === "setTags") return [mutation, { planId, tags: [random.pick(TAGS), "any"] }];
  if (mutation === "advancePlan") return [mutation, { planId, to: random.pick(["EXECUTE", "APPLY"]) }];
  return [mutation, { planId }];
}

/** One subscriber: what it got, over however many connections. */
export class Follower {
  readonly filter: OracleFilter | null;
  readonly seqs: number[] = [];
  /** The head of the log when it first came; null before. */
  begunAt: number | null = null;
  connections = 0;
  readonly faults: string[] = [];
  #cursor: string | null = null;
  readonly #random: Random;

  constructor(filter: OracleFilter | null, random: Random) {
    this.filter = filter;
    this.#random = random;
  }

  /** Follows, drops, and comes back with its last cursor on any server, as long as the arena goes on. */
  async follow(arena: Arena): Promise<void> {
    while (arena.goesOn()) {
      const items = this.#random.below(60);
      await this.#visit(arena, 200 + this.#random.below(2_000), (got) => got >= items);
    }
  }

  /** Comes back until it has as many events as it should have. */
  async catchUp(arena: Arena, count: number): Promise<void> {
    while (arena.goesOn() && this.seqs.length < count && this.faults.length === 0) {
      await this.#visit(arena, 2_000, () => this.seqs.length >= count);
    }
  }

  /** One connection, until it has lasted long enough or got enough. */
  async #visit(arena: Arena, lastsMs: number, isEnough: (got: number) => boolean): Promise<void> {
    const variables = { after: this.#cursor, filter: this.filter };
    const endpoint = this.#random.pick(arena.endpoints());
    const feed = await openFeed(endpoint, this.#random.pick(TRANSPORTS), variables).catch(() => null);
    if (feed === null) return pause(20);
    this.connections += 1;
    const timer = setTimeout(feed.drop, lastsMs);
    try {
      for (let got = 0; !isEnough(got); got += 1) this.#take(await this.#nextOf(feed));
    } catch {
      // The connection is gone: by the timer, or with its server.
    } finally {
      clearTimeout(timer);
      feed.drop();
    }
  }

  async #nextOf(feed: OpenFeed): Promise<FeedItem> {
    const item = await feed.next();
    if (item !== null && item.__typename !== "FeedReset") return item;
    this.faults.push(`The feed after ${this.#cursor} ended with ${JSON.stringify(item)}.`);
    throw new Error("The feed ended.");
  }

  #take(item: FeedItem): void {
    if (item.__typename === "FeedReset") return;
    this.begunAt ??= seqOf(item.cursor);
    if (item.__typename === "PlanEventItem") this.seqs.push(Number(item.event.seq));
    this.#cursor = item.cursor;
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
