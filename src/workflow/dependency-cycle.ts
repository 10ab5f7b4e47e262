/** Finds items that wait for each other, so that none of them could ever begin. */
import { clip } from "./exact-json.js";
import type { IssueReport } from "./issues.js";
import type { WorkflowPlanItem } from "./model/item.js";
import { Pace, type Work } from "./work.js";

/**
 * Refuses each dependency that closes a circle: walking along dependencies from the first item on, those that
 * lead back to an item the walk is still in. Without them there is no circle. Ids that are not in the plan are
 * left to others. The report stands at the list of items.
 */
export function* refuseDependencyCycles(
  items: readonly WorkflowPlanItem[],
  indexOf: ReadonlyMap<string, number>,
  report: IssueReport,
): Work<void> {
  const state = new Uint8Array(items.length);
  const pace = new Pace();
  for (const start of items.keys()) {
    const walk = state[start] === UNSEEN ? [{ index: start, next: 0 }] : [];
    state[start] ||= INSIDE;
    for (let place = walk.at(-1); place !== undefined && !report.isFull; place = walk.at(-1)) {
      if (pace.isDue()) yield;
      const id = items[place.index]?.dependencies[place.next];
      if (id === undefined) {
        state[place.index] = DONE;
        walk.pop();
        continue;
      }
      const below = indexOf.get(id);
      if (below !== undefined && state[below] === INSIDE) {
        const circle = walk.slice(walk.findIndex(({ index }) => index === below)).map(({ index }) => index);
        report.refuse("DEPENDENCY_CYCLE", messageFor(circle, items), place.index, "dependencies", place.next);
      } else if (below !== undefined && state[below] === UNSEEN) {
        state[below] = INSIDE;
        walk.push({ index: below, next: 0 });
      }
      place.next++;
    }
  }
}

const UNSEEN = 0;
const INSIDE = 1;
const DONE = 2;

function messageFor(circle: readonly number[], items: readonly WorkflowPlanItem[]): string {
  const names = circle.slice(0, 5).map((index) => JSON.stringify(clip(items[index]?.id ?? "")));
  const path = [...names, ...(circle.length > 5 ? ["…"] : []), names[0]].join(" → ");
  return `Must not lead back to an item that waits for this one: ${path}.`;
}
