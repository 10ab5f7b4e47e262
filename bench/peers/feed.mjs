/** The part of the product's API that is followed, for the peers: its types, and events to publish. */

export const typeDefs = `
  scalar DateTime
  scalar JSONObject
  enum PlanPhase { STRATEGIZE EXECUTE APPLY APPLIED }
  enum PlanState { QUEUED PROCESSING ERRORED COMPLETE CANCELLED }
  enum PlanEventType { PHASE_STARTED PHASE_FAILED PHASE_RETRIED }
  type PlanEventSide { phase: PlanPhase! state: PlanState! }
  type PlanEvent {
    seq: String!
    type: PlanEventType!
    at: DateTime!
    actor: String!
    planId: ID!
    planVersion: Int!
    from: PlanEventSide
    to: PlanEventSide!
    data: JSONObject!
  }
  type PlanEventItem { cursor: String! event: PlanEvent! }
  type FeedCheckpoint { cursor: String! }
  union PlanFeedItem = PlanEventItem | FeedCheckpoint
  type Query { asOf: String! }
  type Subscription { planEvents: PlanFeedItem! }
`;

let seq = 0;

/** @typedef {ReturnType<typeof nextItem>} Item */

/**
 * The items of the next events, as a resolver gets them.
 * @param {number} count
 * @param {number} noteBytes
 */
export function nextItems(count, noteBytes) {
  return Array.from({ length: count }, () => nextItem(noteBytes));
}

/** @param {number} noteBytes */
function nextItem(noteBytes) {
  seq += 1;
  return {
    __typename: "PlanEventItem",
    cursor: Buffer.from(`0b0b3a1e-57a1-4f7e-9d0c-1a2b3c4d5e6f:${seq}`).toString("base64url"),
    event: {
      seq: String(seq),
      type: "PHASE_STARTED",
      at: new Date().toISOString(),
      actor: "local/anonymous",
      planId: `01K${String(seq).padStart(23, "0")}`,
      planVersion: 2,
      from: { phase: "EXECUTE", state: "QUEUED" },
      to: { phase: "EXECUTE", state: "PROCESSING" },
      data: noteBytes === 0 ? {} : { note: "x".repeat(noteBytes) },
    },
  };
}
