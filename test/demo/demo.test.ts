/** The demonstration against a server: what it leaves behind, and how its live mode moves, waits and ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { apiOf } from "../../src/demo/api.js";
import { fill } from "../../src/demo/fill.js";
import { live } from "../../src/demo/live.js";
import { overview } from "../../src/demo/overview.js";
import { PLAN_PHASES, PLAN_STATES } from "../../src/plan/plan.js";
import { startTestApp, type TestApp } from "../support/app.js";
import { createDirectory } from "../support/databases.js";
import { until } from "../support/http.js";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(await createDirectory("migrated"));
});
afterAll(() => app.close());

describe("the demonstration", () => {
  it("leaves plans in every phase and state, at every level of automation, with children of children", async () => {
    const made = await fill(apiOf(app.endpoint));
    const answer = await app.ask<{
      planCounts: { byPhaseAndState: { phase: string; state: string; count: number }[] };
      plans: { totalCount: number; edges: { node: { automationLevel: string } }[] };
      deep: { edges: { node: { parent: { parent: object | null } } }[] };
    }>(`{
      planCounts { byPhaseAndState { phase state count } }
      plans(first: 100, filter: { includeArchived: true }) { totalCount edges { node { automationLevel } } }
      deep: plans(first: 100, filter: { hasParent: true }) { edges { node { parent { parent { id } } } } }
    }`);
    const { planCounts, plans, deep } = answer;

    const reachable = PLAN_PHASES.flatMap((phase) =>
      PLAN_STATES.filter((state) => phase !== "APPLIED" || state === "COMPLETE").map(
        (state) => `${phase}/${state}`,
      ),
    );
    const reached = planCounts.byPhaseAndState
      .filter(({ count }) => count > 0)
      .map(({ phase, state }) => `${phase}/${state}`);
    expect(reached.toSorted()).toEqual(reachable.toSorted());
    expect(plans.totalCount).toBe(made);
    const levels = new Set(plans.edges.map(({ node }) => node.automationLevel));
    expect([...levels].toSorted()).toEqual(["FULL_AUTOMATION", "MANUAL", "REVIEW_BEFORE_APPLY"]);
    expect(deep.edges.some(({ node }) => node.parent.parent !== null)).toBe(true);
    expect(await overview(apiOf(app.endpoint))).toContain("more in the archive");
  }, 180_000);

  it("moves plans one by one while it is live, and ends when it is told to", async () => {
    const lines: string[] = [];
    const ending = new AbortController();
    const moves = await live(apiOf(app.endpoint, ending.signal), {
      pauseMs: 0,
      signal: ending.signal,
      say: (line) => {
        lines.push(line);
        if (lines.length === 40) ending.abort();
      },
    });
    expect(moves).toBe(40);
    expect(lines.filter((line) => line.includes("refused"))).toEqual([]);
  });

  it("waits for a server that goes away, and goes on when it is back", async () => {
    const place = await createDirectory("migrated");
    const server = await startTestApp(place);
    const { port } = new URL(server.endpoint);
    const lines: string[] = [];
    const ending = new AbortController();
    const moving = live(apiOf(server.endpoint, ending.signal), {
      pauseMs: 5,
      signal: ending.signal,
      say: (line) => lines.push(line),
    });
    await until(() => lines.length > 2);
    await server.stop();
    await until(() => lines.some((line) => line.endsWith("Waiting for it.")));
    const restarted = await startTestApp(place, { environment: { PORT: port } });
    await until(() => lines.indexOf("The server is back.") >= 0 && lines.at(-1)?.includes("/") === true);
    ending.abort();
    await moving;
    await restarted.close();
  });

  it("ends with success on SIGTERM while it is live", async () => {
    const demo = startDemo("--live", app.endpoint);
    const said = text(demo.stdout);
    await once(demo.stdout, "data");
    demo.kill("SIGTERM");
    const [code] = await once(demo, "close");
    expect(await said).toMatch(/Ended after \d+ moves\.\n$/);
    expect(code).toBe(0);
  });

  it("says in one sentence how to go on where no server runs", async () => {
    const demo = startDemo("http://127.0.0.1:9");
    const [said, [code]] = await Promise.all([text(demo.stderr), once(demo, "close")]);
    expect(said).toMatch(/^No server answers at http:\/\/127\.0\.0\.1:9\. Start one with "npm start".*\n$/);
    expect(code).toBe(1);
  });
});

function startDemo(...args: string[]) {
  return spawn(process.execPath, [join(inject("builtServer"), "demo", "main.js"), ...args]);
}
