/** Tells the stories to a server: makes each plan, brings it where it stands, then its children. */
import type { Api } from "./api.js";
import { dataStories } from "./stories/data.js";
import { platformStories } from "./stories/platform.js";
import { productStories } from "./stories/product.js";
import { shopStories } from "./stories/shop.js";
import { DEMO_TAG, type Story } from "./story.js";

/** Makes all plans; resolves to how many. Rejects where the server refuses a move. */
export async function fill(api: Api): Promise<number> {
  let made = 0;
  for (const story of [...shopStories, ...platformStories, ...dataStories, ...productStories]) {
    made += await tell(api, story, null);
  }
  return made;
}

async function tell(
  api: Api,
  { plan, moves, children = [] }: Story,
  parentPlanId: string | null,
): Promise<number> {
  const tags = [DEMO_TAG, ...(plan.tags ?? [])];
  const planId = await succeed(api, "createPlan", { ...plan, tags, parentPlanId }, "local/ada");
  for (const { mutation, input, actor } of moves) await succeed(api, mutation, { planId, ...input }, actor);
  let made = 1;
  for (const child of children) made += await tell(api, child, planId);
  return made;
}

async function succeed(api: Api, mutation: string, input: object, actor: string): Promise<string> {
  const outcome = await api.run({ mutation, input, actor });
  if ("refusal" in outcome) throw new Error(`The server refused ${mutation}: ${outcome.refusal}`);
  return outcome.plan.id;
}
