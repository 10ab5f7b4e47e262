/** Who does it: the header `x-phaseline-actor`, or the connection parameter `actor`. */
import { parseName } from "../plan/names.js";
import type { NamespacedName } from "../plan/plan.js";
import { badUserInput } from "./invalid-input.js";

const ANONYMOUS: NamespacedName = "local/anonymous";

/** The actor in full; an error BAD_USER_INPUT where it is no name. */
export function actorOf(text: string | null): NamespacedName {
  if (text === null || text === "") return ANONYMOUS;
  const actor = parseName(text);
  if (actor === null) {
    const message = "The actor must be a name such as `ada`, `team/ada` or `host:team/ada`.";
    throw badUserInput([{ path: "", code: "MALFORMED", message }]);
  }
  return actor;
}
