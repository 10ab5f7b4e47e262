/** The numbers of steps, as in 2.1.3 (workflow-plan.md §7, number_step_paths). */
import { Pace, type Work } from "./work.js";

/** Where an item's step stands. */
export interface StepPlace {
  readonly step: string;
  readonly ancestors: readonly string[];
}

/**
 * The ordinals of each item, in the order of the items. A path that is not yet seen under its predecessor in
 * the chain gets the next number there; a path seen under two has its last number everywhere.
 */
export function* numberStepPaths(items: readonly StepPlace[]): Work<number[][]> {
  const pace = new Pace();
  const numberOf = new Map<string, number>();
  const seenUnder = new Map<string | null, Set<string>>();
  const chains = items.map(({ ancestors, step }) => [...ancestors, step]);
  for (const chain of chains) {
    let predecessor: string | null = null;
    for (const path of chain) {
      const seen: Set<string> = seenUnder.get(predecessor) ?? new Set();
      seenUnder.set(predecessor, seen);
      if (!seen.has(path)) {
        seen.add(path);
        numberOf.set(path, seen.size);
      }
      predecessor = path;
      if (pace.isDue()) yield;
    }
  }
  const ordinals: number[][] = [];
  for (const chain of chains) {
    const numbers: number[] = [];
    for (const path of chain) {
      numbers.push(numberOf.get(path) ?? 0);
      if (pace.isDue()) yield;
    }
    ordinals.push(numbers);
  }
  return ordinals;
}
