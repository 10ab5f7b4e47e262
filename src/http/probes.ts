/** What an orchestrator asks: does the process live, and may it be sent work. Answered whatever the database does. */
import type { ServerResponse } from "node:http";
import { send } from "./respond.js";

/** Leaves room within the two seconds that a probe is promised its answer in. */
const READY_TIMEOUT_MS = 1_500;

interface Probes {
  health(response: ServerResponse): void;
  ready(response: ServerResponse): Promise<void>;
}

/** Whether the server may be sent work, answered within `limitMs`; a rejection means no. */
export type Ready = (limitMs: number) => Promise<boolean>;

/** `ready` is asked once at a time, however many probes come. */
export function createProbes(ready: Ready): Probes {
  let asking: Promise<boolean> | undefined;
  return {
    health: (response) => send(response, 200, "application/json", JSON.stringify({ status: "ok" })),
    async ready(response) {
      asking ??= Promise.resolve()
        .then(() => ready(READY_TIMEOUT_MS))
        .catch(() => false)
        .finally(() => {
          asking = undefined;
        });
      const isReady = await asking;
      const body = JSON.stringify({ status: isReady ? "ready" : "unavailable" });
      if (!response.destroyed) send(response, isReady ? 200 : 503, "application/json", body);
    },
  };
}
