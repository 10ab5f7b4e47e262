/** An event of a plan in the API, and the connection of events. */
import { settled } from "../../execution/settled.js";
import { builder } from "../../graphql/builder.js";
import { connection } from "../../graphql/connection.js";
import type { EventSide, PlanEvent } from "../event.js";
import type { EventPage } from "../reading.js";
import { PlanEventTypeEnum, PlanPhaseEnum, PlanStateEnum } from "./enums.js";

const EventSideRef = builder.objectRef<EventSide>("PlanEventSide").implement({
  extensions: settled,
  description: "A plan on one side of an event: before it or after it.",
  fields: (t) => ({
    phase: t.expose("phase", { type: PlanPhaseEnum, description: "The phase on this side." }),
    state: t.expose("state", { type: PlanStateEnum, description: "The state on this side." }),
    tags: t.exposeStringList("tags", { description: "The tags on this side." }),
  }),
});

export const PlanEventRef = builder.objectRef<PlanEvent>("PlanEvent").implement({
  extensions: settled,
  description: "One change of a plan, as it was written to the log. It never changes.",
  fields: (t) => ({
    cursor: t.field({
      type: "EventCursor",
      description: "The event's place in the log, to resume a feed after it.",
      resolve: ({ seq }, _args, { feeds }) => feeds.cursor(seq),
    }),
    seq: t.expose("seq", {
      type: "EventSeq",
      description: "The event's number in the log of the whole server.",
    }),
    planId: t.expose("planId", { type: "ULID", description: "The plan that changed." }),
    planVersion: t.exposeInt("planVersion", {
      description: "The plan's version after the event: its n-th event carries n.",
    }),
    type: t.expose("type", { type: PlanEventTypeEnum, description: "What happened." }),
    at: t.expose("at", { type: "DateTime", description: "When; never earlier than the events before it." }),
    actor: t.exposeString("actor", {
      description:
        "Who did it, as a namespaced name: what the client said in the header `x-phaseline-actor`, over WebSocket in the connection parameter `actor`; `local/anonymous` without it.",
    }),
    automatic: t.exposeBoolean("automatic", {
      description: "Whether the plan moved by itself, by its automation level.",
    }),
    data: t.expose("data", {
      type: "JSONObject",
      description: "What else belongs to it: a note, a reason, an error, what was recorded.",
    }),
    rootPlanId: t.expose("rootPlanId", { type: "ULID", description: "The root of the plan's tree." }),
    actionName: t.exposeString("actionName", { description: "The plan's action." }),
    projectNames: t.exposeStringList("projectNames", { description: "The plan's projects, in their order." }),
    from: t.expose("from", {
      type: EventSideRef,
      nullable: true,
      description: "The plan before the event; null at its creation.",
    }),
    to: t.expose("to", { type: EventSideRef, description: "The plan after the event." }),
  }),
});

export const PlanEventConnectionRef = connection<PlanEvent, bigint, EventPage>({
  name: "PlanEvent",
  description: "A page of events, in the order of the log; a feed resumes after their cursors as well.",
  node: PlanEventRef,
  cursorType: "EventCursor",
  cursorText: (seq, { feeds }) => feeds.cursor(seq),
});

builder.objectField(PlanEventConnectionRef, "historyBegin", (t) =>
  t.field({
    type: "EventCursor",
    description:
      "Where the kept history begins: of the events up to here only the last one of each plan is kept. At the beginning of the log unless the server prunes it.",
    resolve: ({ prunedTo }, _args, { feeds }) => feeds.cursor(prunedTo),
  }),
);
