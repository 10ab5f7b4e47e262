/** What an orchestrator asks: does the process live, and may it be sent work. Answered whatever the database does. */
import type { ServerResponse } from "node:http";
import { send } from "./respond.js";

/** Leaves room within the two seconds that a probe is promised its answer in. */
const READY_TIMEOUT_MS = 1500;

interface Probes {
  health(response: ServerResponse): void;
  ready(response: ServerResponse): Promise<void>;
}

/** `ready` may hang or reject; both mean no. It is asked once at a time, however many probes come. */
export function createProbes(ready: () => Promise<boolean>): Probes {
  let asking: Promise<boolean> | undefined;
  return {
    health: (response) => send(response, 200, "application/json", JSON.stringify({ status: "ok" })),
    async ready(response) {
      asking ??= Promise.resolve()
        .then(ready)
        .catch(() => false)
        .finally(() => {
          asking = undefined;
        });
      const isReady = await orFalseAfter(READY_TIMEOUT_MS, asking);
      const body = JSON.stringify({ status: isReady ? "ready" : "unavailable" });
      if (!response.destroyed) send(response, isReady ? 200 : 503, "application/json", body);
    },
  };
}

async function orFalseAfter(ms: number, answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
