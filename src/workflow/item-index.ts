/** Finds items of one plan: by their id, by what they are, and by what waits for them. */
import { kindOf } from "./derived.js";
import type { WorkflowPlanItem } from "./model/item.js";
import { Pace, type Work } from "./work.js";

/** Conditions that must all hold; one that is null or absent is not asked. */
export interface ItemFilter {
  readonly ids?: readonly string[] | null;
  readonly owners?: readonly WorkflowPlanItem["owner"][] | null;
  readonly phases?: readonly WorkflowPlanItem["phase"][] | null;
  readonly steps?: readonly string[] | null;
  readonly kinds?: readonly string[] | null;
  readonly loopIds?: readonly string[] | null;
}

/** An item, and where it stands in the list of items, from 0. */
export interface PlacedItem {
  readonly place: number;
  readonly item: WorkflowPlanItem;
}

export interface ItemIndex {
  /** The first item of the id. */
  named(id: string): PlacedItem | undefined;
  /** The items that meet the filter, in the order of the plan. */
  matching(filter: ItemFilter): readonly PlacedItem[];
  /** The items that the item waits for, each once; ids that no item has are passed over. */
  dependenciesOf(item: WorkflowPlanItem): readonly PlacedItem[];
  /** The items that wait for the item, in the order of the plan. */
  dependentsOf(item: WorkflowPlanItem): readonly PlacedItem[];
}

export function* indexItems(items: readonly WorkflowPlanItem[]): Work<ItemIndex> {
  const placed = items.map((item, place) => ({ place, item }));
  const byId = new Map<string, PlacedItem>();
  const dependents = new Map<string, PlacedItem[]>();
  const pace = new Pace();
  for (const each of placed) {
    if (!byId.has(each.item.id)) byId.set(each.item.id, each);
    for (const id of new Set(each.item.dependencies)) {
      if (pace.isDue()) yield;
      const known = dependents.get(id);
      if (known === undefined) dependents.set(id, [each]);
      else known.push(each);
    }
  }
  return {
    named: (id) => byId.get(id),
    matching: (filter) => {
      const conditions = conditionsOf(filter);
      return placed.filter(({ item }) => conditions.every((holds) => holds(item)));
    },
    dependenciesOf: ({ dependencies }) =>
      [...new Set(dependencies)].map((id) => byId.get(id)).filter((found) => found !== undefined),
    dependentsOf: ({ id }) => dependents.get(id) ?? [],
  };
}

function conditionsOf(filter: ItemFilter): ((item: WorkflowPlanItem) => boolean)[] {
  return [
    oneOf(filter.ids, ({ id }) => id),
    oneOf(filter.owners, ({ owner }) => owner),
    oneOf(filter.phases, ({ phase }) => phase),
    oneOf(filter.steps, ({ step }) => step),
    oneOf(filter.kinds, kindOf),
    oneOf(filter.loopIds, ({ loop_id }) => loop_id),
  ].filter((condition) => condition !== null);
}

function oneOf(
  allowed: readonly string[] | null | undefined,
  read: (item: WorkflowPlanItem) => string | null,
): ((item: WorkflowPlanItem) => boolean) | null {
  if (allowed == null) return null;
  const values = new Set<string | null>(allowed);
  return (item) => values.has(read(item));
}
