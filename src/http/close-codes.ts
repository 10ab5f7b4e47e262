/**
 * Why the server closes a WebSocket. After 1001, 1013 and 4500 a client comes back and resumes from its last cursor
 * (graphql-ws does not by itself after 4500); after the others it would only repeat what was wrong with it.
 */
export const CLOSE_CODES = {
  /** The server is shutting down. */
  GOING_AWAY: 1001,
  /** A frame was larger than PHASELINE_MAX_FRAME_BYTES. */
  FRAME_TOO_LARGE: 1009,
  /** The client left more unread than PHASELINE_MAX_UNSENT_BYTES. */
  TOO_MUCH_UNREAD: 1013,
  /** A message was not of the protocol graphql-transport-ws. */
  BAD_REQUEST: 4400,
  /** An operation came before the connection was acknowledged. */
  UNAUTHORIZED: 4401,
  /** The client does not speak graphql-transport-ws. */
  SUBPROTOCOL_NOT_ACCEPTABLE: 4406,
  /** The client did not introduce itself with connection_init within ten seconds. */
  CONNECTION_INIT_TIMEOUT: 4408,
  /** Two running operations had one id. */
  SUBSCRIBER_ALREADY_EXISTS: 4409,
  /** connection_init came twice. */
  TOO_MANY_INIT_REQUESTS: 4429,
  /** The server failed. */
  INTERNAL_ERROR: 4500,
} as const;
