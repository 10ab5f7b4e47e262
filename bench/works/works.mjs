/** All works, in the order in which they run. */
import { changingList } from "./changing-list.mjs";
import { delay } from "./delay.mjs";
import { facets } from "./facets.mjs";
import { fanOut } from "./fan-out.mjs";
import { idleMemory } from "./idle-memory.mjs";
import { nestedList } from "./nested-list.mjs";
import { pages } from "./pages.mjs";
import { pausedClient } from "./paused-client.mjs";
import { planById } from "./plan-by-id.mjs";
import { transitions } from "./transitions.mjs";

/** @type {readonly import("../main.mjs").Work<any>[]} */
export const works = [
  nestedList,
  planById,
  changingList,
  transitions,
  facets,
  pages,
  fanOut,
  delay,
  pausedClient,
  idleMemory,
];
