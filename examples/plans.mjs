// @ts-nocheck: examples are plain JavaScript, to be read without types.

// A copy of the server's plans that stays right: list them, then apply what the feed brings. It knows nothing of
// how the feed is transported; see follow-over-websocket.mjs and follow-over-sse.mjs.

const FIELDS = "id name phase state version updatedAt archivedAt";

const LIST = `query ListPlans($after: String) {
  plans(first: 100, after: $after) {
    asOf
    pageInfo { hasNextPage endCursor }
    edges { node { ${FIELDS} } }
  }
}`;

export const FEED = `subscription FollowPlans($after: EventCursor!) {
  planEvents(after: $after) {
    __typename
    ... on PlanEventItem { cursor event { type planVersion } plan { ${FIELDS} } }
    ... on FeedCheckpoint { cursor }
    ... on FeedReset { reason resumeAt }
  }
}`;

export class Plans {
  /** The plans by their id. */
  byId = new Map();
  /** Everything up to here is in `byId`; null: nothing was read yet. */
  cursor = null;

  /** Reads all plans anew, page by page. `ask` runs a query and resolves to its data. */
  async read(ask) {
    const byId = new Map();
    let cursor = null;
    let after = null;
    do {
      const { plans } = await ask(LIST, { after });
      // The feed has to begin where the first page was read: what changed meanwhile comes by in it once more.
      cursor ??= plans.asOf;
      for (const { node } of plans.edges) byId.set(node.id, node);
      after = plans.pageInfo.hasNextPage ? plans.pageInfo.endCursor : null;
    } while (after !== null);
    this.byId = byId;
    this.cursor = cursor;
  }

  /** Applies one item of the feed. False: the feed cannot go on from here, and the plans have to be read anew. */
  apply(item) {
    if (item.__typename === "FeedReset") {
      this.cursor = null;
      return false;
    }
    if (item.__typename === "PlanEventItem") {
      const known = this.byId.get(item.plan.id)?.version ?? 0;
      // What the list, or a plan that came with an earlier event, shows already needs no second look.
      if (item.event.planVersion > known) this.byId.set(item.plan.id, item.plan);
      // The list leaves archived plans out.
      if (item.plan.archivedAt !== null) this.byId.delete(item.plan.id);
    }
    this.cursor = item.cursor;
    return true;
  }
}

/** Runs a query over HTTP; `endpoint` is the address of the API, such as http://127.0.0.1:4000/graphql. */
export async function ask(endpoint, query, variables) {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join("; "));
  return data;
}

/** Follows plans until `signal` aborts: `connect` runs one feed after `plans.cursor` to its end, however it ends. */
export async function keepFollowing({ plans, endpoint, connect, onChange, onTrouble = () => {}, signal }) {
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (plans.cursor === null) {
        await plans.read((query, variables) => ask(endpoint, query, variables));
        onChange(plans);
      }
      for await (const item of connect(plans.cursor, signal)) {
        failures = 0;
        const goesOn = plans.apply(item);
        onChange(plans);
        if (!goesOn) break;
      }
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
    }
    failures += 1;
    await pause(backoff(failures), signal);
  }
}

/** Up to 30 seconds, doubling, and never the same for two clients: a restarted server is not stormed. */
function backoff(failures) {
  return Math.min(30_000, 100 * 2 ** failures) * (0.5 + Math.random() / 2);
}

function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
  });
}
