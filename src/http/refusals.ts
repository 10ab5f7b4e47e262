/** Why requests are turned away, as clients are told. What the guard says of single requests stands there. */

import type { BodyFault } from "./body.js";

/** A request that is turned away, as it is told to the client. */
export interface HttpRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const notFound: HttpRefusal = {
  status: 404,
  code: "NOT_FOUND",
  message: "There is nothing here; the API is at /graphql.",
};

export const shuttingDown: HttpRefusal = {
  status: 503,
  code: "SERVICE_UNAVAILABLE",
  message: "The server is shutting down.",
};

export const tooManyConnections: HttpRefusal = {
  status: 503,
  code: "TOO_MANY_CONNECTIONS",
  message: "The server holds as many feeds as it may. It is set by PHASELINE_MAX_CONNECTIONS.",
};

export const failed: HttpRefusal = {
  status: 500,
  code: "INTERNAL_SERVER_ERROR",
  message: "The server failed to answer.",
};

/** Why a body is not read, or not to its end; `limit` is the size of the largest, in bytes. */
export function bodyRefusal(fault: BodyFault, limit: number): HttpRefusal {
  switch (fault) {
    case "TOO_LARGE": {
      const message = `The body has more than ${limit} bytes. It is set by PHASELINE_MAX_BODY_BYTES.`;
      return { status: 413, code: "BODY_TOO_LARGE", message };
    }
    case "TOO_MANY_VALUES":
      return {
        status: 413,
        code: "BODY_TOO_LARGE",
        message: "The body has more than a million JSON values.",
      };
    case "NO_ROOM": {
      const message = "The server holds as many large bodies as it may: try again.";
      return { status: 503, code: "TOO_MANY_BODIES", message };
    }
  }
}
