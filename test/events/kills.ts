/** Servers on one directory that are killed under writes, one after the other; and what the log then must have. */
import { startTestApp } from "../support/app.js";
import type { DatabasePlace } from "../support/databases.js";
import { openFeed } from "../support/feeds.js";
import { post } from "../support/http.js";
import { startServerProcess } from "../support/server-process.js";

const WRITERS = 4;
const CREATE = `mutation { createPlan(input: { actionName: "local/review", projectLinks: [{ projectName: "local/shop" }] }) {
  ... on CommandSuccess { plan { id } } } }`;

interface Created {
  readonly plan: { readonly id: string };
}

/** Kills as many servers, each when it has acknowledged so many plans; the ids of all that were acknowledged. */
export async function killUnderWrites(
  place: DatabasePlace<"embedded">,
  kills: number,
  plansEach: number,
): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const server = await startServerProcess(place.config);
    const enough = kill * plansEach;
    let killed: Promise<void> | undefined;
    const write = async () => {
      for (;;) {
        const { body } = await post(server.endpoint, { query: CREATE });
        const created = body.data?.createPlan as Created | undefined;
        if (created === undefined) throw new Error(JSON.stringify(body));
        acknowledged.push(created.plan.id);
        if (acknowledged.length >= enough) killed ??= server.kill("SIGKILL");
      }
    };
    // Each ends by the request that the kill cuts off.
    await Promise.all(Array.from({ length: WRITERS }, () => write().catch(() => {})));
    if (killed === undefined) throw new Error(`The server ended by itself:\n${server.output()}`);
    await killed;
  }
  return acknowledged;
}

/** The plans in the order of the log, whose numbers run from 1 on without a gap; read until all of `ids` were there. */
export async function plansInLog(
  place: DatabasePlace<"embedded">,
  ids: readonly string[],
): Promise<string[]> {
  const app = await startTestApp(place);
  const [identity] = Buffer.from((await app.ask<{ asOf: string }>("{ asOf }")).asOf, "base64url")
    .toString()
    .split("/");
  const after = Buffer.from(`${identity}/0`).toString("base64url");
  const feed = await openFeed(app.endpoint, "websocket", { after });
  const inLog: string[] = [];
  const missing = new Set(ids);
  while (missing.size > 0) {
    const { seq, planId } = await feed.event();
    inLog.push(planId);
    missing.delete(planId);
    if (Number(seq) !== inLog.length) throw new Error(`Event ${inLog.length} has the number ${seq}.`);
  }
  feed.drop();
  await app.close();
  return inLog;
}
