/** Plans of a web shop: reviews, mends and a large move with plans under it. */
import {
  addInvariant,
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

const shop = [{ projectName: "local/web-shop", alias: "shop" }];
const publicApi = {
  text: "The public API stays as it is",
  scope: "PROJECT",
  sourceName: "local/web-shop",
} as const;

export const shopStories: readonly Story[] = [
  {
    plan: {
      name: "local/review-open-changes",
      actionName: "local/code-review",
      description: "Look through the open changes of the web shop before the release on Thursday.",
      definitionOfDone: "Every open change has a verdict, and each finding a line.",
      projectLinks: [{ projectName: "local/web-shop", alias: "shop", readOnly: true }],
      arguments: { depth: "thorough", maxFindings: 20, paths: ["src/checkout", "src/cart"] },
      argumentsOrder: ["depth", "paths", "maxFindings"],
      strategyActor: "local/planner",
      executionActor: "local/reviewer",
      tags: ["release", "review"],
    },
    moves: [],
  },
  {
    plan: {
      name: "local/mend-rounding-of-discounts",
      actionName: "local/mend-a-bug",
      description: "Discounts of 33 % lose a cent in carts with more than three items.",
      definitionOfDone: "The carts of the report add up, and a test holds them.",
      projectLinks: shop,
      automationLevel: "REVIEW_BEFORE_APPLY",
      invariants: [
        publicApi,
        { text: "Prices are never computed in floating point", scope: "GLOBAL", nonOverridable: true },
      ],
      arguments: { issue: 4312, reporter: "support" },
      tags: ["bug", "money"],
    },
    moves: [start("local/planner")],
  },
  {
    plan: {
      name: "local/checkout-for-screen-readers",
      actionName: "local/accessibility-audit",
      description: "Go through the checkout with a screen reader and mend what is silent.",
      projectLinks: shop,
      automationLevel: "FULL_AUTOMATION",
      automationProfileName: "local/night-shift",
      effectiveProfileSnapshot: {
        name: "local/night-shift",
        maxParallel: 2,
        window: { from: "22:00", to: "06:00" },
      },
      tags: ["accessibility"],
    },
    moves: [
      start("local/planner"),
      complete({ estimate: { hours: 6, confidence: 0.7 } }),
      start(),
      complete({
        changesetId: "cs-2291",
        validationSummary: { axe: { violations: 0 }, tests: { passed: 412, failed: 0 } },
      }),
      start(),
      complete({ note: "Merged by the night shift." }),
    ],
  },
  {
    plan: {
      name: "local/smaller-product-images",
      actionName: "local/performance",
      description: "Serve product images in the size that they are shown in.",
      projectLinks: [...shop, { projectName: "local/image-pipeline", alias: "images" }],
      invariants: [
        { text: "Images of the press kit keep their size" },
        publicApi,
        {
          text: "Images of the press kit  keep their size",
          scope: "ACTION",
          sourceName: "local/performance",
        },
      ],
    },
    moves: [
      ...strategised({ estimate: { hours: 10 } }),
      start(),
      fail("The image pipeline refuses WebP with an alpha channel.", { format: "webp", files: 14 }),
      fail("Three more files have no width.", { withoutWidth: ["hero-3.png", "hero-4.png", "logo.svg"] }),
    ],
  },
  {
    plan: {
      name: "local/one-click-reorder",
      actionName: "local/build-a-feature",
      description: "Let customers order the same things again from their list of orders.",
      definitionOfDone: "A customer reorders in one click, also when an item has sold out.",
      projectLinks: shop,
      tags: ["feature"],
    },
    moves: [
      ...executed({ changesetId: "cs-2304", sandboxRefs: ["sandbox://reorder-1"] }),
      start(),
      record({ validationSummary: { preview: "approved" } }),
    ],
  },
  {
    plan: {
      name: "local/gift-cards-in-two-currencies",
      actionName: "local/build-a-feature",
      description: "Sell gift cards that can be used in euros and in pounds.",
      projectLinks: shop,
    },
    moves: [start("local/planner"), cancel("Legal says no: a card in two currencies is electronic money.")],
  },
  {
    plan: {
      name: "local/move-search-to-new-engine",
      actionName: "local/migrate-a-service",
      description: "Move the product search to the new engine without a minute of downtime.",
      definitionOfDone: "All reads go to the new engine, and the old one is switched off.",
      projectLinks: [...shop, { projectName: "local/search", alias: "search" }],
      automationLevel: "REVIEW_BEFORE_APPLY",
      invariants: [{ text: "Both engines answer alike for the top thousand queries" }],
      estimationActor: "local/estimator",
      invariantActor: "local/judge",
      tags: ["migration", "q3"],
    },
    moves: [
      start("local/planner"),
      complete({ estimate: { days: 12, confidence: 0.5 } }),
      start(),
      addInvariant({ text: "Answers come within 80 ms at the 95th percentile" }),
    ],
    children: [
      {
        plan: {
          name: "local/index-the-catalogue",
          actionName: "local/backfill",
          description: "Write all 1.2 million products into the new index.",
          projectLinks: [{ projectName: "local/search" }],
          automationLevel: "FULL_AUTOMATION",
        },
        moves: [start(), complete(), start(), complete({ changesetId: "cs-2310" }), start(), complete()],
        children: [
          {
            plan: {
              name: "local/index-discontinued-products",
              actionName: "local/backfill",
              description: "The 90,000 products that can no longer be bought, for old links.",
              projectLinks: [{ projectName: "local/search" }],
            },
            moves: [...strategised(), start()],
          },
          {
            plan: {
              name: "local/synonyms-from-old-engine",
              actionName: "local/translate-configuration",
              description: "Bring the synonyms over, in six languages.",
              projectLinks: [{ projectName: "local/search" }],
            },
            moves: [
              ...strategised(),
              start(),
              fail("Two synonyms lead back to each other.", { words: ["pullover", "jumper"] }),
            ],
          },
        ],
      },
      {
        plan: {
          name: "local/shadow-traffic",
          actionName: "local/compare-services",
          description: "Send each query to both engines and compare the answers.",
          projectLinks: [{ projectName: "local/search", readOnly: true }],
        },
        moves: [...strategised()],
      },
      {
        plan: {
          name: "local/switch-off-old-engine",
          actionName: "local/retire-a-service",
          description: "Once nothing asks it any more.",
          projectLinks: [{ projectName: "local/search" }],
        },
        moves: [],
      },
    ],
  },
  {
    plan: {
      name: "local/tidy-cart-module",
      actionName: "local/refactor",
      description: "Split the cart module, which has grown to 3,000 lines.",
      projectLinks: shop,
      invariants: [publicApi],
    },
    moves: [
      ...executed({ changesetId: "cs-2188" }),
      start(),
      fail("The main branch has moved: the change set conflicts in two files.", {
        files: ["cart.ts", "cart.test.ts"],
      }),
      retry(),
      start(),
      complete(),
      advance("APPLIED"),
      archive(),
    ],
  },
];
