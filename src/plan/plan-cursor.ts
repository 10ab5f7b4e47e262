/** Cursors of plan pages: a place in one order, opaque to clients, good as long as the order is the same. */
import { parseUlid } from "./identifiers.js";
import { parseInstant } from "./instants.js";
import { PLAN_PHASES, PLAN_STATES } from "./plan.js";
import type { PlanCursor, PlanOrder, PlanOrderField } from "./reading.js";
import { isStorable } from "./text.js";

export function writePlanCursor(orderBy: readonly PlanOrder[], cursor: PlanCursor): string {
  return Buffer.from(JSON.stringify([orderName(orderBy), ...cursor])).toString("base64url");
}

/** The place that a cursor names; null where it is garbage, or of another order. */
export function readPlanCursor(orderBy: readonly PlanOrder[], text: string): PlanCursor | null {
  const parts = partsOf(text);
  if (parts === null || parts.length !== orderBy.length + 2 || parts[0] !== orderName(orderBy)) return null;
  const values = parts.slice(1);
  const sound = orderBy.every(({ field }, index) => VALUES[field](values[index] ?? ""));
  const id = values.at(-1) ?? "";
  return sound && parseUlid(id) === id ? values : null;
}

const VALUES: Readonly<Record<PlanOrderField, (value: string) => boolean>> = {
  CREATED_AT: isInstant,
  UPDATED_AT: isInstant,
  NAME: isStorable,
  PHASE: (value) => PLAN_PHASES.some((phase) => phase === value),
  STATE: (value) => PLAN_STATES.some((state) => state === value),
};

/** In the very form that `writePlanCursor` gave it. */
function isInstant(value: string): boolean {
  return parseInstant(value) === value;
}

function orderName(orderBy: readonly PlanOrder[]): string {
  return orderBy.map(({ field, direction }) => `${field} ${direction}`).join();
}

function partsOf(text: string): string[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return Array.isArray(parts) && parts.every((part) => typeof part === "string") ? parts : null;
  } catch {
    return null;
  }
}
