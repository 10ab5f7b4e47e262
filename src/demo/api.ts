/** The server as its clients see it: GraphQL over HTTP, and what a command answered. */

/** Where a plan stands, and enough to go on with it. */
export interface PlanFacts {
  readonly id: string;
  readonly name: string;
  readonly phase: string;
  readonly state: string;
}

/** One command: a mutation, its input, and who sends it. */
export interface Command {
  readonly mutation: string;
  readonly input: object;
  readonly actor: string;
}

/** What a command answered: the plan after it, or the refusal in a sentence. */
export type Outcome = { readonly plan: PlanFacts } | { readonly refusal: string };

export interface Api {
  /** The address of the server, without a path. */
  readonly url: string;
  /** The data of a query; rejects with `ServerAway` where no server answers. */
  ask<Data>(query: string, variables?: object): Promise<Data>;
  run(command: Command): Promise<Outcome>;
}

/** No server answers, or it is about to stop: to be tried again. */
export class ServerAway extends Error {}

/** The API of the server at `url`; requests end when `signal` does. */
export function apiOf(url: string, signal?: AbortSignal): Api {
  const base = url.replace(/\/+$/, "").replace(/\/graphql$/, "");

  async function post<Data>(query: string, variables: object, actor?: string): Promise<Data> {
    const headers = { "content-type": "application/json", ...(actor && { "x-phaseline-actor": actor }) };
    const body = JSON.stringify({ query, variables });
    const response = await fetch(`${base}/graphql`, { method: "POST", headers, body, signal }).catch(
      (error: unknown) => {
        throw signal?.aborted ? error : new ServerAway(`No server answers at ${base}.`, { cause: error });
      },
    );
    if (response.status >= 502) throw new ServerAway(`The server at ${base} is not available.`);
    const answer: unknown = await response.json().catch(() => null);
    if (!isAnswer(answer)) throw new Error(`What answers at ${base} is not a Phaseline server.`);
    if (answer.errors) throw new Error(answer.errors.map(({ message }) => message).join("\n"));
    return answer.data as Data;
  }

  return {
    url: base,
    ask: (query, variables = {}) => post(query, variables),
    async run({ mutation, input, actor }) {
      const { outcome } = await post<{ outcome: Answered }>(mutationText(mutation), { input }, actor);
      if ("plan" in outcome) return { plan: outcome.plan };
      const reasons = [...(outcome.blockers ?? []), ...(outcome.issues ?? [])].map(({ message }) => message);
      return { refusal: reasons.length === 0 ? outcome.message : reasons.join(" ") };
    },
  };
}

type Answered =
  | { readonly plan: PlanFacts }
  | { readonly message: string; readonly blockers?: readonly Reason[]; readonly issues?: readonly Reason[] };

interface Reason {
  readonly message: string;
}

function mutationText(mutation: string): string {
  const input = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  return `mutation ($input: ${input}!) {
    outcome: ${mutation}(input: $input) {
      ... on CommandSuccess { plan { id name phase state } }
      ... on Refusal { message }
      ... on InvalidInput { issues { message } }
      ... on TransitionRejected { blockers { message } }
    }
  }`;
}

function isAnswer(value: unknown): value is { readonly data?: unknown; readonly errors?: readonly Reason[] } {
  return typeof value === "object" && value !== null && ("data" in value || "errors" in value);
}
