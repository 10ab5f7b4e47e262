/** Finds items that wait for each other, so that none of them could ever begin. */
import type { SeenItem } from "./model/plan.js";
import { Pace, type Work } from "./work.js";

/** A walk along all dependencies from the first item on, by the index of items: who was entered from where, and when. */
export interface DependencyWalk {
  readonly entered: Uint32Array;
  readonly left: Uint32Array;
  readonly depth: Uint32Array;
  readonly cameFrom: Int32Array;
}

/** Walks along the dependencies that can be read; those on ids that are not in the plan are left to others. */
export function* walkDependencies(
  items: readonly (SeenItem | undefined)[],
  indexOf: ReadonlyMap<string, number>,
): Work<DependencyWalk> {
  const walk = {
    entered: new Uint32Array(items.length),
    left: new Uint32Array(items.length),
    depth: new Uint32Array(items.length),
    cameFrom: new Int32Array(items.length).fill(NOWHERE),
  };
  const pace = new Pace();
  const inside: { readonly index: number; next: number }[] = [];
  let time = 0;
  const enter = (index: number) => {
    walk.entered[index] = ++time;
    inside.push({ index, next: 0 });
  };
  for (const start of items.keys()) {
    if (walk.entered[start] === 0) enter(start);
    for (let place = inside.at(-1); place !== undefined; place = inside.at(-1)) {
      if (pace.isDue()) yield;
      const dependencies = items[place.index]?.dependencies ?? [];
      if (place.next === dependencies.length) {
        walk.left[place.index] = ++time;
        inside.pop();
        continue;
      }
      const id = dependencies[place.next++];
      const below = id === undefined ? undefined : indexOf.get(id);
      if (below === undefined || walk.entered[below] !== 0) continue;
      walk.cameFrom[below] = place.index;
      walk.depth[below] = inside.length;
      enter(below);
    }
  }
  return walk;
}

/**
 * Whether the dependency closes a circle: it leads back to an item from which the walk came here. Without all
 * those that do there is no circle.
 */
export function closesCircle(from: number, to: number, { entered, left }: DependencyWalk): boolean {
  return at(entered, to) <= at(entered, from) && at(left, from) <= at(left, to);
}

/** The items of the circle that the dependency closes, beginning where it leads to; the first few of many. */
export function circleOf(
  from: number,
  to: number,
  atMost: number,
  { depth, cameFrom }: DependencyWalk,
): number[] {
  const circle: number[] = [];
  for (let index = from; ; index = at(cameFrom, index)) {
    if (at(depth, index) - at(depth, to) < atMost) circle.push(index);
    if (index === to || index === NOWHERE) return circle.reverse();
  }
}

const NOWHERE = -1;

function at(list: Uint32Array | Int32Array, index: number): number {
  return list[index] ?? NOWHERE;
}
