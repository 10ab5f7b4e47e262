/** Every command that was answered is counted, by its name and what it was answered with. */
import { expect, it } from "vitest";
import { startTestApp } from "../support/app.js";
import { createDirectory } from "../support/databases.js";
import { createPlan, run } from "../support/plans.js";

it("commands are counted once each: successes, refusals of the lifecycle, and of inputs; dry runs are not", async () => {
  const app = await startTestApp(await createDirectory("migrated"));
  const { id: planId } = await createPlan(app);
  await run(app, "createPlan", { actionName: "a b", projectLinks: [] });
  await run(app, "completePhase", { planId });
  await run(app, "failPhase", { planId, message: "" });
  await run(app, "failPhase", { planId, message: "", dryRun: true });
  await run(app, "startPhase", { planId, dryRun: true });
  await run(app, "setTags", { planId: "none", tags: [] });
  const metrics = await (await fetch(new URL("/metrics", app.endpoint))).text();
  const counts = [
    ...metrics.matchAll(/^phaseline_commands_total\{command="(\w+)",result="(\w+)"\} (\d+)$/gm),
  ];
  expect(counts.map(([, ...count]) => count.join(" ")).sort()).toEqual([
    "COMPLETE_PHASE TRANSITION_REJECTED 1",
    "CREATE_PLAN INVALID_INPUT 1",
    "CREATE_PLAN SUCCESS 1",
    "FAIL_PHASE INVALID_INPUT 1",
    "SET_TAGS INVALID_INPUT 1",
  ]);
  await app.close();
});
