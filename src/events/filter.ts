/**
 * Whether an event is one of those that a feed asks for, by the facts that stand in it. The same conditions as SQL
 * are in plan/store/filter; replay and live must agree.
 */
import type { EventSide, PlanEvent } from "../plan/event.js";
import type { PlanEventFilter } from "../plan/reading.js";

/** On what changes (phase, state, tags) the plan may match before or after the event. */
export function matches(event: PlanEvent, filter: PlanEventFilter | null): boolean {
  if (filter === null) return true;
  return (
    among(filter.planIds, event.planId) &&
    (filter.rootPlanId == null || filter.rootPlanId === event.rootPlanId) &&
    among(filter.actionNames, event.actionName) &&
    meets(filter.projectNames, event.projectNames) &&
    among(filter.types, event.type) &&
    (sideMatches(event.to, filter) || (event.from !== null && sideMatches(event.from, filter)))
  );
}

function sideMatches(side: EventSide, { phases, states, tags }: PlanEventFilter): boolean {
  return among(phases, side.phase) && among(states, side.state) && meets(tags, side.tags);
}

function among<Value>(asked: readonly Value[] | null | undefined, value: Value): boolean {
  return asked == null || asked.includes(value);
}

function meets<Value>(asked: readonly Value[] | null | undefined, values: readonly Value[]): boolean {
  return asked == null || values.some((value) => asked.includes(value));
}
