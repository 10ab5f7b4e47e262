/** Plans of those who keep the machines running. */
import {
  advance,
  archive,
  cancel,
  complete,
  executed,
  fail,
  record,
  retry,
  type Story,
  start,
  strategised,
} from "../story.js";

const noDowntime = {
  text: "No service is down for longer than a minute",
  scope: "GLOBAL",
  nonOverridable: true,
} as const;

export const platformStories: readonly Story[] = [
  {
    plan: {
      name: "ops/rotate-certificates",
      actionName: "ops/rotate-secrets",
      description: "The certificates of the inner mesh end in eleven days.",
      projectLinks: [{ projectName: "ops/mesh" }],
      automationLevel: "FULL_AUTOMATION",
      invariants: [noDowntime],
      executionActor: "ops/robot",
      tags: ["security", "urgent"],
    },
    moves: [start("ops/robot"), complete(), start("ops/robot")],
  },
  {
    plan: {
      name: "ops/postgres-17-to-18",
      actionName: "ops/upgrade-database",
      description: "Bring the three production clusters to PostgreSQL 18.",
      definitionOfDone: "All clusters run 18, replicas too, and the old volumes are gone.",
      projectLinks: [
        { projectName: "ops/clusters", alias: "north" },
        { projectName: "ops/clusters", alias: "south" },
        { projectName: "ops/runbooks", readOnly: true },
      ],
      automationLevel: "MANUAL",
      invariants: [
        noDowntime,
        {
          text: "A backup of the last hour exists before any step",
          scope: "PROJECT",
          sourceName: "ops/clusters",
        },
        { text: "Replicas go first", scope: "ACTION", sourceName: "ops/upgrade-database" },
        { text: "The northern cluster waits until the southern has run for a week" },
      ],
      arguments: { from: "17.6", to: "18.1", order: ["south", "north"], dryRun: false, window: null },
      tags: ["database", "q3"],
    },
    moves: [
      ...executed({
        changesetId: "cs-ops-77",
        sandboxRefs: ["sandbox://pg18-rehearsal-1", "sandbox://pg18-rehearsal-2"],
      }),
      start(),
    ],
    children: [
      {
        plan: {
          name: "ops/rehearse-upgrade",
          actionName: "ops/rehearse",
          description: "Once more with last night's backup.",
          projectLinks: [{ projectName: "ops/clusters" }],
        },
        moves: [
          ...executed({ validationSummary: { minutes: 41, rowsCompared: 88_120_394, differences: 0 } }),
          start(),
          complete(),
          advance("APPLIED"),
        ],
      },
      {
        plan: {
          name: "ops/upgrade-northern-cluster",
          actionName: "ops/upgrade-database",
          description: "The second of the two.",
          projectLinks: [{ projectName: "ops/clusters", alias: "north" }],
        },
        moves: [start("ops/robot"), complete()],
      },
    ],
  },
  {
    plan: {
      name: "ops/shorter-log-retention",
      actionName: "ops/change-a-policy",
      description: "Keep access logs for 30 days instead of 90.",
      projectLinks: [{ projectName: "ops/logging" }],
    },
    moves: [
      ...executed({ changesetId: "cs-ops-80" }),
      start(),
      complete({ note: "Rolled out to all regions." }),
    ],
  },
  {
    plan: {
      name: "ops/faster-ci-runners",
      actionName: "ops/move-workloads",
      description: "Move the builds to the machines with fast disks.",
      projectLinks: [{ projectName: "ops/ci" }],
      automationLevel: "REVIEW_BEFORE_APPLY",
    },
    moves: [
      start("ops/robot"),
      complete(),
      start(),
      fail("The new runners cannot reach the artifact store.", { host: "artifacts.internal", port: 443 }),
      retry(),
      start(),
      record({
        sandboxRefs: ["sandbox://runners-2"],
        validationSummary: { buildMinutes: { before: 14, after: 6 } },
      }),
      complete({ changesetId: "cs-ops-82" }),
    ],
  },
  {
    plan: {
      name: "ops/mend-flaky-login-test",
      actionName: "ops/mend-flaky-tests",
      description: "The login test fails one time in forty.",
      projectLinks: [{ projectName: "local/identity" }],
      tags: ["flaky"],
    },
    moves: [
      start(),
      fail("Not seen to fail in 500 runs: there is nothing to mend yet.", { runs: 500, failures: 0 }),
    ],
  },
  {
    plan: {
      name: "ops/new-region",
      actionName: "ops/open-a-region",
      description: "Serve customers in South America from nearby.",
      projectLinks: [{ projectName: "ops/network" }, { projectName: "ops/clusters" }],
      tags: ["q4"],
    },
    moves: [...strategised({ estimate: { days: 45 } }), cancel("Put off until the budget of next year.")],
  },
  {
    plan: {
      name: "ops/replace-load-balancer",
      actionName: "ops/replace-a-component",
      description: "The old balancer gets no more security updates.",
      projectLinks: [{ projectName: "ops/network" }],
      invariants: [noDowntime],
    },
    moves: [
      ...executed({ changesetId: "cs-ops-71" }),
      start(),
      fail("Health checks of the new balancer time out in one zone.", { zone: "b", timeoutMs: 2000 }),
    ],
  },
  {
    plan: {
      name: "ops/drop-old-backups",
      actionName: "ops/clean-up",
      description: "Backups older than seven years must go.",
      projectLinks: [{ projectName: "ops/backups" }],
    },
    moves: [...strategised(), cancel("Done by hand in the meantime."), archive()],
  },
];
