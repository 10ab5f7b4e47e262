/** Keeps the plans of the demonstration moving, one command at a time, as a team at work would. */
import { setTimeout as pause } from "node:timers/promises";
import { type Api, type Command, type PlanFacts, ServerAway } from "./api.js";
import { type Candidate, nextCommand } from "./moves.js";
import { DEMO_TAG } from "./story.js";

export interface LiveOptions {
  /** Between two moves, on average. */
  readonly pauseMs: number;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Gets one line for each move. */
  readonly say: (line: string) => void;
}

/**
 * Moves plans until the signal; resolves to the number of moves. A server that goes away is waited for. What
 * somebody else did to a plan in the meantime makes a refusal, which is said like a move.
 */
export async function live(api: Api, { pauseMs, signal, say }: LiveOptions): Promise<number> {
  let moves = 0;
  let isAway = false;
  while (!signal.aborted) {
    try {
      const line = await move(api);
      if (isAway) say("The server is back.");
      isAway = false;
      moves += 1;
      say(line);
    } catch (error) {
      if (signal.aborted) break;
      if (!(error instanceof ServerAway)) throw error;
      if (!isAway) say(`${error.message} Waiting for it.`);
      isAway = true;
    }
    await pause(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
  return moves;
}

async function move(api: Api): Promise<string> {
  const { active, finished } = await read(api);
  const { command, plan } = nextCommand(active, finished, Math.random);
  const outcome = await api.run(command);
  if ("refusal" in outcome) return lineOf(command, plan, `refused: ${outcome.refusal}`);
  const from = plan === null ? "" : `${position(plan)} → `;
  const isSame = plan !== null && position(plan) === position(outcome.plan);
  return lineOf(command, outcome.plan, isSame ? position(plan) : `${from}${position(outcome.plan)}`);
}

interface Read {
  readonly active: { readonly edges: readonly { readonly node: Candidate }[] };
  readonly finished: { readonly edges: readonly { readonly node: PlanFacts }[] };
}

/** The plans that may move, those untouched for the longest time first; and the oldest that are final. */
async function read(api: Api): Promise<{ active: readonly Candidate[]; finished: readonly PlanFacts[] }> {
  const { active, finished } = await api.ask<Read>(
    `query ($tags: TagFilter!) {
      active: plans(
        filter: { tags: $tags, phases: [STRATEGIZE, EXECUTE, APPLY], states: [QUEUED, PROCESSING, ERRORED, COMPLETE] }
        orderBy: [{ field: UPDATED_AT, direction: ASC }]
        first: 60
      ) {
        edges { node { id name phase state availableActions { command allowed } } }
      }
      finished: plans(
        filter: { tags: $tags, or: [{ phases: [APPLIED] }, { states: [CANCELLED] }] }
        orderBy: [{ field: UPDATED_AT, direction: ASC }]
        first: 60
      ) {
        edges { node { id name phase state } }
      }
    }`,
    { tags: { any: [DEMO_TAG] } },
  );
  return { active: active.edges.map(({ node }) => node), finished: finished.edges.map(({ node }) => node) };
}

function lineOf({ mutation, actor }: Command, plan: PlanFacts | null, what: string): string {
  return `${mutation.padEnd(15)}  ${(plan?.name ?? "").padEnd(36)}  ${what}  (${actor})`;
}

function position({ phase, state }: PlanFacts): string {
  return `${phase}/${state}`;
}
