/** Plans of a data team: deletions, reports, backfills. */
import {
  addInvariant,
  advance,
  archive,
  cancel,
  complete,
  executed,
  fail,
  retry,
  type Story,
  start,
  strategised,
} from "../story.js";

const warehouse = [{ projectName: "data/warehouse" }];
const personal = {
  text: "Personal data never leaves the warehouse",
  scope: "GLOBAL",
  nonOverridable: true,
} as const;

export const dataStories: readonly Story[] = [
  {
    plan: {
      name: "data/delete-closed-accounts",
      actionName: "data/erase-personal-data",
      description: "Erase what is kept of 1,204 accounts that were closed in spring.",
      definitionOfDone: "No query finds them, and the certificate of erasure is filed.",
      projectLinks: [...warehouse, { projectName: "local/identity" }],
      invariants: [
        personal,
        { text: "Invoices stay for ten years", scope: "PROJECT", sourceName: "data/warehouse" },
        { text: "Personal data never leaves the warehouse" },
      ],
      invariantActor: "local/judge",
      tags: ["privacy", "law"],
    },
    moves: [
      ...strategised({ estimate: { accounts: 1204 } }),
      start(),
      complete({
        changesetId: "erase-2026-07",
        validationSummary: { erased: 1204, kept: { invoices: 3391 } },
      }),
    ],
  },
  {
    plan: {
      name: "data/nightly-report-before-seven",
      actionName: "data/find-slow-paths",
      description: "The report for the board comes at half past eight. It should be there at seven.",
      projectLinks: warehouse,
    },
    moves: [start("local/planner"), complete({ note: "Two joins are read twice; see the strategy." })],
  },
  {
    plan: {
      name: "data/backfill-exchange-rates",
      actionName: "data/backfill",
      description: "The rates of 2019 are missing for seven currencies.",
      projectLinks: warehouse,
      automationLevel: "FULL_AUTOMATION",
      arguments: { currencies: ["CHF", "CZK", "DKK", "HUF", "NOK", "PLN", "SEK"], year: 2019, batch: 500 },
      argumentsOrder: ["year", "currencies", "batch"],
      tags: ["money"],
    },
    moves: [
      start(),
      complete(),
      start(),
      fail("The central bank's service answers 429.", { status: 429, retryAfterSeconds: 60 }),
      retry(),
      start(),
      fail("The central bank's service answers 429.", { status: 429, retryAfterSeconds: 600 }),
      retry(),
    ],
  },
  {
    plan: {
      name: "data/lineage-of-revenue",
      actionName: "data/document-lineage",
      description: "Where does the number on the first page of the report come from?",
      projectLinks: [{ projectName: "data/warehouse", readOnly: true }],
      automationLevel: "REVIEW_BEFORE_APPLY",
    },
    moves: [
      start(),
      complete(),
      start(),
      complete({ changesetId: "lineage-3" }),
      advance("APPLY"),
      start(),
      complete(),
    ],
  },
  {
    plan: {
      name: "data/one-schema-for-events",
      actionName: "data/unify-schemas",
      description: "Four teams write four kinds of click events. One is enough.",
      projectLinks: [...warehouse, { projectName: "local/web-shop" }, { projectName: "local/mobile-app" }],
      tags: ["schema"],
    },
    moves: [
      ...strategised(),
      start(),
      addInvariant({ text: "Old events stay readable" }),
      complete({ changesetId: "events-v2", sandboxRefs: ["sandbox://events-replay"] }),
      advance("APPLY"),
      cancel("The mobile team needs another quarter."),
    ],
  },
  {
    plan: {
      name: "data/segments-for-spring-sale",
      actionName: "data/build-segments",
      description: "Who bought garden furniture in the last two springs?",
      projectLinks: warehouse,
      invariants: [personal],
    },
    moves: [...executed({ changesetId: "segments-9" }), start(), complete(), advance("APPLIED"), archive()],
  },
];
