/**
 * What freezing a plan demands beyond the format (workflow-plan.md §2, §8): it must be one that can be carried
 * out and stored. The demands are the two tables below; each looks at what could be read, and is silent about
 * what could not, which the format has refused already.
 */
import { circleOf, closesCircle, type DependencyWalk, walkDependencies } from "./dependency-cycle.js";
import { clip, type ExactJson, isExactList, isExactObject } from "./exact-json.js";
import { IssueReport, type WorkflowIssue } from "./issues.js";
import type { SeenItem, SeenPlan } from "./model/plan.js";
import { refuseUnstorable } from "./storable-text.js";
import { Pace, type Work } from "./work.js";

/** All that stands against freezing the plan as far as it could be read, which was given as the exact value. */
export function* freezeIssuesOf(plan: SeenPlan, given: ExactJson): Work<WorkflowIssue[]> {
  const report = new IssueReport();
  const pace = new Pace();
  const { items = [], ...head } = plan;
  yield* refuseUnstorable(head, given, report, pace);

  const whole = yield* wholeOf(items);
  const givenItems = (isExactObject(given) && given.get("items")) || [];
  report.enter("items");
  for (const [index, item] of items.entries()) {
    if (report.isFull) break;
    if (item === undefined) continue;
    report.enter(index);
    for (const demand of ITEM_DEMANDS) demand(item, index, whole, report);
    for (const reference of referencesOf(item)) {
      if (report.isFull) break;
      if (pace.isDue()) yield;
      for (const demand of REFERENCE_DEMANDS) demand(reference, index, whole, report);
    }
    yield* refuseUnstorable(item, (isExactList(givenItems) && givenItems[index]) || null, report, pace);
    report.leave();
  }
  report.leave();
  return report.issues;
}

/** What is known of all items while one is looked at. */
interface Whole {
  readonly items: readonly (SeenItem | undefined)[];
  /** The first item that has the id. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** Whether there is no item whose id could not be read: any unknown id might be meant for it. */
  readonly everyIdIsKnown: boolean;
  readonly walk: DependencyWalk;
}

/** A place where an item names another one. */
interface Reference {
  readonly id: string;
  readonly place: readonly (string | number)[];
  /** Whether the item cannot begin before the other one is done. */
  readonly isWaitedFor: boolean;
}

type ItemDemand = (item: SeenItem, index: number, whole: Whole, report: IssueReport) => void;
type ReferenceDemand = (reference: Reference, from: number, whole: Whole, report: IssueReport) => void;

const idIsUnique: ItemDemand = ({ id }, index, { indexOf }, report) => {
  const first = id === undefined ? undefined : indexOf.get(id);
  if (id === undefined || first === undefined || first === index) return;
  report.refuse("DUPLICATE_ID", `Must differ from the id of item ${first}, which is ${named(id)} too.`, "id");
};

const positionIsPlace: ItemDemand = ({ position }, index, _whole, report) => {
  if (position === undefined || position === index + 1) return;
  report.refuse(
    "POSITION_GAP",
    `Must be ${index + 1}, not ${clip(String(position))}: positions count the items from 1.`,
    "position",
  );
};

const noCheckIsDerived: ItemDemand = ({ checks = [] }, _index, _whole, report) => {
  for (const [at, check] of checks.entries()) {
    if (check?.source !== "derived") continue;
    report.refuse(
      "DERIVED_CHECK",
      "Must be rule or hook; derived checks come into being when their step begins.",
      "checks",
      at,
      "source",
    );
  }
};

const itemIsThere: ReferenceDemand = ({ id, place }, _from, { indexOf, everyIdIsKnown }, report) => {
  if (indexOf.has(id) || !everyIdIsKnown) return;
  report.refuse("UNKNOWN_ITEM", `Must be the id of an item of the plan; there is no ${named(id)}.`, ...place);
};

const noCircleIsClosed: ReferenceDemand = (
  { id, place, isWaitedFor },
  from,
  { items, indexOf, walk },
  report,
) => {
  const to = indexOf.get(id);
  if (!isWaitedFor || to === undefined || !closesCircle(from, to, walk)) return;
  const circle = circleOf(from, to, NAMED_OF_CIRCLE + 1, walk).map((index) => named(items[index]?.id ?? ""));
  const first = circle.slice(0, NAMED_OF_CIRCLE);
  const path = [...first, ...(circle.length > first.length ? ["…"] : []), first[0]].join(" → ");
  report.refuse(
    "DEPENDENCY_CYCLE",
    `Must not lead back to an item that waits for this one: ${path}.`,
    ...place,
  );
};

const ITEM_DEMANDS: readonly ItemDemand[] = [idIsUnique, positionIsPlace, noCheckIsDerived];
const REFERENCE_DEMANDS: readonly ReferenceDemand[] = [itemIsThere, noCircleIsClosed];

function* wholeOf(items: readonly (SeenItem | undefined)[]): Work<Whole> {
  const indexOf = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    if (item?.id !== undefined && !indexOf.has(item.id)) indexOf.set(item.id, index);
  }
  const everyIdIsKnown = items.every((item) => item?.id !== undefined);
  return { items, indexOf, everyIdIsKnown, walk: yield* walkDependencies(items, indexOf) };
}

function* referencesOf({ dependencies = [], artifact_dependency, verifies }: SeenItem): Iterable<Reference> {
  for (const [at, id] of dependencies.entries()) {
    if (id !== undefined) yield { id, place: ["dependencies", at], isWaitedFor: true };
  }
  if (typeof artifact_dependency === "string")
    yield { id: artifact_dependency, place: ["artifact_dependency"], isWaitedFor: false };
  if (verifies?.item_id !== undefined)
    yield { id: verifies.item_id, place: ["verifies", "item_id"], isWaitedFor: false };
}

/** How many items of a circle a message names. */
const NAMED_OF_CIRCLE = 5;

function named(id: string): string {
  return JSON.stringify(clip(id));
}
