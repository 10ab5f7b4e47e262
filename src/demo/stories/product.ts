/** Plans around the product: documents, translations, the mobile application. */
import { complete, executed, fail, retry, type Story, start, strategised } from "../story.js";

const app = [{ projectName: "local/mobile-app", alias: "app" }];

export const productStories: readonly Story[] = [
  {
    plan: {
      name: "local/release-notes-5-2",
      actionName: "local/write-release-notes",
      description: "From 84 merged changes to one page that a customer likes to read.",
      projectLinks: app,
      automationLevel: "REVIEW_BEFORE_APPLY",
      tags: ["release"],
    },
    moves: [start("local/writer"), complete(), start("local/writer"), complete({ changesetId: "notes-5.2" })],
  },
  {
    plan: {
      name: "local/polish-translation",
      actionName: "hub.example:language/translate",
      description: "Zażółć gęślą jaźń: the application in Polish, plurals included. 🇵🇱",
      definitionOfDone: "A native speaker has used it for a week and written nothing down.",
      projectLinks: [...app, { projectName: "local/web-shop", readOnly: true }],
      arguments: { language: "pl", formality: "informal", glossary: { cart: "koszyk", checkout: "kasa" } },
      tags: ["language"],
    },
    moves: [...strategised(), start("local/translator")],
    children: [
      {
        plan: {
          name: "local/polish-plurals",
          actionName: "hub.example:language/translate",
          description: "1 sztuka, 2 sztuki, 5 sztuk.",
          projectLinks: app,
        },
        moves: [start("local/translator")],
      },
    ],
  },
  {
    plan: {
      name: "local/crash-at-first-start",
      actionName: "local/mend-a-bug",
      description: "On devices without a calendar the application ends at once.",
      projectLinks: app,
      automationLevel: "FULL_AUTOMATION",
      arguments: { issue: 4377, devices: 312 },
      tags: ["bug", "urgent"],
    },
    moves: [
      start(),
      complete(),
      start(),
      fail("The crash cannot be made to happen in the emulator.", { devicesTried: 9 }),
    ],
  },
  {
    plan: {
      name: "local/guide-for-newcomers",
      actionName: "local/write-documentation",
      description: "The first hour with the application, for people who have never seen it.",
      projectLinks: app,
    },
    moves: [...executed({ changesetId: "guide-1" })],
  },
  {
    plan: {
      name: "local/dark-theme",
      actionName: "local/build-a-feature",
      description: "White at midnight is unkind.",
      projectLinks: app,
      tags: ["feature"],
    },
    moves: [
      start("local/planner"),
      fail("The design has no colours for charts yet.", { missing: ["chart.1", "chart.2", "chart.3"] }),
      retry(),
    ],
  },
  {
    plan: {
      name: "local/review-permissions",
      actionName: "local/code-review",
      description: "Which permissions does the application ask for, and which does it use?",
      projectLinks: [{ projectName: "local/mobile-app", readOnly: true }],
      automationProfileName: "local/careful",
      effectiveProfileSnapshot: { name: "local/careful", askBefore: ["APPLY"] },
    },
    moves: [],
  },
];
