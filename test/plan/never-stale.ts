/**
 * Reads that are never stale: writers change a few plans without pause, by one endpoint, while readers ask for them
 * at another. Each answer says of which moment it is, and must tell of each plan just what the log tells of it then;
 * and nothing older than what was acknowledged before it was asked for.
 */
import { seqOf } from "../support/feeds.js";
import { post } from "../support/http.js";
import { randomOf } from "../support/random.js";

interface Told {
  readonly id: string;
  readonly version: number;
  readonly phase: string;
  readonly state: string;
  readonly tags: readonly string[];
}

/** What one page said, with the versions that were acknowledged before it was asked for. */
interface Reading {
  readonly asOf: string;
  readonly plans: readonly Told[];
  readonly acknowledged: ReadonlyMap<string, number>;
}

interface PageOf<Node> {
  readonly asOf: string;
  readonly edges: readonly { readonly node: Node }[];
}

type Nested = Told & { readonly children: PageOf<Told>; readonly root: Told };

const ROOTS = 6;
const CHILDREN = 2;
const READERS = 4;
const WRITERS = 3;

const TOLD = "id version phase state tags";
const NESTED = `${TOLD} root { ${TOLD} } children(first: 9, orderBy: [{ field: NAME, direction: ASC }]) { asOf edges { node { ${TOLD} } } }`;
const PAGES = [
  `{ plans(first: 50) { asOf edges { node { ${NESTED} } } } }`,
  `{ plans(first: 7, orderBy: [{ field: UPDATED_AT, direction: DESC }]) { asOf edges { node { ${TOLD} root { ${TOLD} } } } } }`,
  `{ plans(first: 9, filter: { states: [PROCESSING, ERRORED] }) { asOf edges { node { ${TOLD} } } } }`,
  `{ plans(first: 9, filter: { tags: { any: ["t1", "t2"] } }) { asOf edges { node { ${NESTED} } } } }`,
];
const SINGLE = `query ($id: ULID!) { plan(id: $id) { ${NESTED} } }`;
const LOG = `query ($after: EventCursor) { planEvents(first: 100, after: $after) { pageInfo { hasNextPage endCursor }
  edges { node { seq planId planVersion to { phase state tags } } } } }`;

/**
 * Writes at `writing` and reads at `reading` until `isEnough`, told how many commands have succeeded. Resolves to how
 * many plans of answers were compared with the log, and in what they differ from it.
 */
export async function findStaleReads(
  writing: string,
  reading: string,
  isEnough: (written: number) => boolean,
): Promise<{ readonly compared: number; readonly faults: readonly string[] }> {
  const acknowledged = new Map<string, number>();
  let written = 0;
  const command = async (name: string, input: object): Promise<string | undefined> => {
    const query = `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) {
      ... on CommandSuccess { plan { id version } } } }`;
    const { plan } = await ask<{ plan?: { id: string; version: number } }>(writing, query, { input });
    if (plan === undefined) return undefined;
    written += 1;
    acknowledged.set(plan.id, Math.max(plan.version, acknowledged.get(plan.id) ?? 0));
    return plan.id;
  };
  for (let root = 0; root < ROOTS; root += 1) {
    const parentPlanId = await command("createPlan", CREATED);
    for (let child = 0; child < CHILDREN; child += 1)
      await command("createPlan", { ...CREATED, parentPlanId });
  }
  const ids = [...acknowledged.keys()];
  const readings: Reading[] = [];
  const writers = Array.from({ length: WRITERS }, async (_, seed) => {
    const { pick, below } = randomOf(seed);
    while (!isEnough(written)) {
      const planId = pick(ids);
      const [name, input] = pick([
        ["startPhase", {}],
        ["failPhase", { message: "It broke." }],
        ["retryPhase", {}],
        ["setTags", { tags: [`t${below(4)}`, `t${4 + below(4)}`] }],
      ] as const);
      await command(name, { planId, ...input });
    }
  });
  const readers = Array.from({ length: READERS }, async (_, seed) => {
    const { pick, chance } = randomOf(100 + seed);
    while (!isEnough(written)) {
      const before = new Map(acknowledged);
      if (chance(0.5)) {
        const page = await ask<PageOf<Told | Nested>>(reading, pick(PAGES));
        readings.push({
          asOf: page.asOf,
          plans: page.edges.flatMap(({ node }) => plansIn(node)),
          acknowledged: before,
        });
      } else {
        const plan = await ask<Nested>(reading, SINGLE, { id: pick(ids) });
        readings.push({ asOf: plan.children.asOf, plans: plansIn(plan), acknowledged: before });
      }
    }
  });
  await Promise.all([...writers, ...readers]);
  const history = await historyOf(
    writing,
    readings.map(({ asOf }) => asOf),
  );
  return {
    compared: readings.reduce((sum, { plans }) => sum + plans.length, 0),
    faults: readings.flatMap((one) => faultsOf(one, history)),
  };
}

const CREATED = { actionName: "local/review", projectLinks: [{ projectName: "local/shop" }] };

function plansIn(node: Told | Nested): Told[] {
  const children = "children" in node ? node.children.edges.map(({ node: child }) => child) : [];
  const roots = "root" in node ? [node.root] : [];
  return [node, ...roots, ...children];
}

interface Logged {
  readonly seq: string;
  readonly planId: string;
  readonly planVersion: number;
  readonly to: Pick<Told, "phase" | "state" | "tags">;
}

/** All events, from the beginning of the log on whose cursors these are. */
async function historyOf(endpoint: string, [cursor = ""]: readonly string[]): Promise<readonly Logged[]> {
  const [identity] = Buffer.from(cursor, "base64url").toString().split("/");
  const events: Logged[] = [];
  for (let after = Buffer.from(`${identity}/0`).toString("base64url"); ; ) {
    const page = await ask<
      PageOf<Logged> & { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string } }
    >(endpoint, LOG, { after });
    events.push(...page.edges.map(({ node }) => node));
    if (!page.pageInfo.hasNextPage) return events;
    after = page.pageInfo.endCursor;
  }
}

function faultsOf({ asOf, plans, acknowledged }: Reading, history: readonly Logged[]): string[] {
  const moment = seqOf(asOf);
  return plans.flatMap(({ id, ...told }) => {
    const event = history.findLast(({ seq, planId }) => planId === id && Number(seq) <= moment);
    const right = event && JSON.stringify({ version: event.planVersion, ...pickTold(event.to) });
    const said = JSON.stringify({ version: told.version, ...pickTold(told) });
    const known = acknowledged.get(id) ?? 0;
    return [
      ...(said === right ? [] : [`at ${moment} ${id} was ${said} and not ${right}`]),
      ...(told.version >= known ? [] : [`${id} was at ${told.version} after ${known} was acknowledged`]),
    ];
  });
}

function pickTold({ phase, state, tags }: Pick<Told, "phase" | "state" | "tags">) {
  return { phase, state, tags };
}

async function ask<Answer>(endpoint: string, query: string, variables: object = {}): Promise<Answer> {
  const { body } = await post(endpoint, { query, variables });
  const [answer] = Object.values(body.data ?? {});
  if (answer === undefined || answer === null) throw new Error(JSON.stringify(body));
  return answer as Answer;
}
