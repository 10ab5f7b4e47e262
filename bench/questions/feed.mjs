/** The subscription that everyone serves, word for word the same document. */

/** What a dashboard that follows all plans asks for. */
export const FOLLOW = `subscription Follow { planEvents { __typename ... on PlanEventItem { cursor event {
  seq type at actor planId planVersion from { phase state } to { phase state } } } } }`;

/** The same with all that the event carries. */
export const FOLLOW_WITH_DATA = FOLLOW.replace("seq type", "seq data type");

/** A text that is in each message of an event, and in no other message. */
export const EVENT_MARK = '"PlanEventItem"';
