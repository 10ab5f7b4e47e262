/** The log and its feeds in the API. */
import { GraphQLError } from "graphql";
import { builder } from "../graphql/builder.js";
import { parseUlid } from "../plan/identifiers.js";
import { ulid } from "../plan/input-fields.js";
import {
  planEventFilterSchema,
  readPlanEventFilter,
  readPlanFilter,
  resumeCursorSchema,
} from "../plan/query-inputs.js";
import type { PlanCounts, PlanNode } from "../plan/reading.js";
import { PlanCountsRef, planCountsArgs } from "../plan/schema/counts.js";
import { PlanEventConnectionRef, PlanEventRef } from "../plan/schema/event.js";
import { PlanEventFilterInput } from "../plan/schema/filter.js";
import { eventPageArgs, eventPageRequest, pageValidation } from "../plan/schema/page-request.js";
import { PlanRef } from "../plan/schema/plan.js";
import { askedFacts, shapeKey, shapeOfPlan } from "../plan/schema/shape.js";
import type { FeedItem, ResetReason } from "./feed.js";
import { planUpdates } from "./plan-updates.js";
import { SharedReads } from "./shared-reads.js";

type ItemOf<Kind extends FeedItem["kind"]> = Extract<FeedItem, { readonly kind: Kind }>;

const PlanEventItemRef = builder.objectRef<ItemOf<"EVENT">>("PlanEventItem").implement({
  description: "An event in a feed.",
  fields: (t) => ({
    cursor: t.field({
      type: "EventCursor",
      description: "The event's place in the log: resume after it.",
      resolve: ({ event }, _args, { feeds }) => feeds.cursor(event.seq),
    }),
    isReplay: t.exposeBoolean("isReplay", {
      description: "Whether the event was in the log already when the feed began.",
    }),
    event: t.expose("event", { type: PlanEventRef, description: "The event, as it was written." }),
    plan: t.field({
      type: PlanRef,
      description: "The plan as it is now, which may be newer than the event.",
      resolve: async ({ event }, _args, context, info) => {
        const plan = await context.plans.plan(event.planId, shapeOfPlan(info, context));
        if (plan === null) throw new Error("An event names a plan that is not there.");
        return plan;
      },
    }),
  }),
});

const FeedCheckpointRef = builder.objectRef<ItemOf<"CHECKPOINT">>("FeedCheckpoint").implement({
  description:
    "Everything up to here was looked at: a fresh cursor for a feed in which nothing happened. The first item of a feed without `after`.",
  fields: (t) => ({
    cursor: t.field({
      type: "EventCursor",
      description: "How far the feed is: resume after it.",
      resolve: ({ seq }, _args, { feeds }) => feeds.cursor(seq),
    }),
  }),
});

const RESET_REASONS: { readonly [Reason in ResetReason]: { readonly description: string } } = {
  CURSOR_EXPIRED: { description: "The events after the cursor are no longer kept." },
  CURSOR_AHEAD: { description: "The log is shorter than the cursor says, as after a restored backup." },
  CURSOR_FOREIGN: { description: "The cursor is of another database." },
  CURSOR_INVALID: { description: "The text is no cursor." },
};

const FeedResetReasonEnum = builder.enumType("FeedResetReason", {
  description: "Why a feed cannot be served from its cursor.",
  values: RESET_REASONS,
});

const FeedResetRef = builder.objectRef<ItemOf<"RESET">>("FeedReset").implement({
  description:
    "The last item of a feed that cannot be served from its cursor: read the plans anew, then resume.",
  fields: (t) => ({
    reason: t.expose("reason", { type: FeedResetReasonEnum, description: "Why." }),
    resumeAt: t.field({
      type: "EventCursor",
      description: "From where a feed can resume.",
      resolve: ({ resumeAt }, _args, { feeds }) => feeds.cursor(resumeAt),
    }),
  }),
});

const TYPE_NAMES: { readonly [Kind in FeedItem["kind"]]: string } = {
  EVENT: "PlanEventItem",
  CHECKPOINT: "FeedCheckpoint",
  RESET: "FeedReset",
};

const PlanFeedItem = builder.unionType("PlanFeedItem", {
  description: "What comes in a feed of events.",
  types: [PlanEventItemRef, FeedCheckpointRef, FeedResetRef],
  resolveType: ({ kind }) => TYPE_NAMES[kind],
});

builder.queryField("planEvents", (t) =>
  t.field({
    type: PlanEventConnectionRef,
    description: "The log of events, oldest first, page by page.",
    args: { ...eventFilterArgs(), ...eventPageArgs() },
    validate: pageValidation,
    resolve: (_root, { filter, ...page }, { feeds }, info) =>
      feeds.page(
        filter == null ? null : readPlanEventFilter(filter),
        eventPageRequest(page, feeds.readCursor, askedFacts(info)),
      ),
  }),
);

builder.queryField("asOf", (t) =>
  t.field({
    type: "EventCursor",
    description:
      "The head of the log when the operation began: everything up to it is in the answers of the other fields.",
    resolve: async (_root, _args, { feeds, asOf }) => feeds.cursor(await asOf()),
  }),
);

builder.subscriptionType({
  description: "Everything that can be followed, over WebSocket or Server-Sent Events.",
});

builder.subscriptionField("planEvents", (t) =>
  t.field({
    type: PlanFeedItem,
    description:
      "The events that match, each once and in the order of the log. Resume with the last cursor as `after`, as often as you like.",
    args: {
      after: t.arg({
        type: "EventCursor",
        description: "Begin after this cursor; without it, with what comes from now on.",
        validate: { schema: resumeCursorSchema },
      }),
      ...eventFilterArgs(),
    },
    subscribe: (_root, { after, filter }, { feeds, resumeAfter }) =>
      feeds.follow(resumeAfter ?? after ?? null, filter == null ? null : readPlanEventFilter(filter)),
    resolve: (item: FeedItem, _args, { feeds, noteCursor }) => {
      noteCursor(feeds.cursor(placeOf(item)));
      return item;
    },
  }),
);

/** The plans that are read because of an event, for all who follow the plan with the same selection. */
const planReads = new SharedReads<PlanNode | null>();

builder.subscriptionField("planUpdated", (t) =>
  t.field({
    type: PlanRef,
    description:
      "One plan: as it is now, then again whenever its version has moved (several moves may be shown as one); ends once the plan is final. An unknown id is an error NOT_FOUND.",
    args: {
      id: t.arg({ type: "ULID", required: true, description: "The plan's id.", validate: { schema: ulid } }),
    },
    subscribe: async (_root, args, context, info) => {
      const id = parseUlid(args.id) ?? args.id;
      const shape = shapeOfPlan(info, context);
      const read = () => context.plans.plan(id, shape);
      const key = shapeKey(shape);
      const updates = await planUpdates(context.feeds, id, (because) =>
        because === null ? read() : planReads.because(because, key, read),
      );
      if (updates !== null) return updates;
      throw new GraphQLError(`There is no plan ${id}.`, { extensions: { code: "NOT_FOUND" } });
    },
    resolve: (node: PlanNode) => node,
  }),
);

builder.subscriptionField("planCounts", (t) =>
  t.field({
    type: PlanCountsRef,
    description:
      "How many plans there are, by phase and state: now, then again when it changed, a few times a second at most.",
    args: planCountsArgs(),
    subscribe: (_root, { filter }, { counts }) =>
      counts.follow(filter == null ? null : readPlanFilter(filter)),
    resolve: (counts: PlanCounts) => counts,
  }),
);

/** Where an item leaves a client in the log. */
function placeOf(item: FeedItem): bigint {
  switch (item.kind) {
    case "EVENT":
      return item.event.seq;
    case "CHECKPOINT":
      return item.seq;
    case "RESET":
      return item.resumeAt;
    default:
      return item satisfies never;
  }
}

function eventFilterArgs() {
  return builder.args((t) => ({
    filter: t.field({
      type: PlanEventFilterInput,
      description: "Which events; without it all.",
      validate: { schema: planEventFilterSchema },
    }),
  }));
}
