/** Plans that come up while the demonstration is live. */
import { pick } from "./chance.js";
import { DEMO_TAG, type NewPlan } from "./story.js";

const works = [
  { name: "review", actionName: "local/code-review", says: "Review the open changes of" },
  { name: "upgrade", actionName: "local/upgrade-dependencies", says: "Bring the dependencies up to date in" },
  { name: "flaky-tests", actionName: "local/mend-flaky-tests", says: "Find and mend the flaky tests of" },
  { name: "docs", actionName: "local/write-documentation", says: "Bring the documentation up to date in" },
  { name: "latency", actionName: "local/find-slow-paths", says: "Find out what is slow in" },
];
const projects = ["web-shop", "checkout", "search", "billing", "mobile-app", "data-warehouse", "identity"];
const levels = ["MANUAL", "REVIEW_BEFORE_APPLY", "FULL_AUTOMATION"] as const;

/** The input of `createPlan` for one more plan. */
export function newIdea(random: () => number): NewPlan {
  const { name, actionName, says } = pick(works, random);
  const project = pick(projects, random);
  return {
    name: `local/${name}-${project}`,
    actionName,
    description: `${says} ${project}.`,
    projectLinks: [{ projectName: `local/${project}` }],
    automationLevel: pick(levels, random),
    tags: [DEMO_TAG, "live"],
  };
}
