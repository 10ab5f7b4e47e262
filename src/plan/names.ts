/**
 * Names of plans, actions, projects, actors and profiles, and the aliases of project links (domain.md §2, §3).
 * Nothing else reads or makes such a name.
 */
import type { NamespacedName, Ulid } from "./plan.js";
import { lowerAscii } from "./text.js";

/** The length of the longest name in full, in characters. */
export const NAME_LENGTH_LIMIT = 253 + ":".length + 64 + "/".length + 64;

/** Reads `[[server:]namespace/]name`, not trimmed, and answers it in full and in lower case; null if malformed. */
export function parseName(text: string): NamespacedName | null {
  const match = NAME.exec(lowerAscii(text));
  if (match === null) return null;
  const [, server, namespace = DEFAULT_NAMESPACE, name] = match;
  return `${server === undefined ? "" : `${server}:`}${namespace}/${name}`;
}

/** Reads the alias of a project link, not trimmed, and answers it in lower case; null if malformed. */
export function parseAlias(text: string): string | null {
  const alias = lowerAscii(text);
  return ALIAS.test(alias) ? alias : null;
}

/**
 * The name of a plan that was made without one: the action's namespace and name, without its server, and the
 * end of the plan's id. The name is cut so that the whole is a name again.
 */
export function defaultPlanName(actionName: NamespacedName, planId: Ulid): NamespacedName {
  const local = actionName.slice(actionName.indexOf(":") + 1);
  const slash = local.indexOf("/");
  const name = local.slice(slash + 1, slash + 1 + 55);
  return `${local.slice(0, slash)}/${name}-${planId.slice(-8).toLowerCase()}`;
}

const DEFAULT_NAMESPACE = "local";
const WORD = "[a-z0-9][a-z0-9_-]{0,63}";
const SERVER = "[a-z0-9][a-z0-9.-]{0,252}";
const NAME = new RegExp(`^(?:(?:(${SERVER}):)?(${WORD})/)?(${WORD})$`);
const ALIAS = new RegExp(`^${WORD}$`);
