/** Pages of the items of a workflow plan. Cursors are places in the plan, which never change. */
import { type FixedPage, fixedConnection } from "../../graphql/connection.js";
import { badUserInput } from "../../graphql/invalid-input.js";
import { DEFAULT_PAGE_SIZE } from "../../plan/schema/page-request.js";
import type { ItemFilter, ItemIndex } from "../item-index.js";
import type { Usage } from "../usage.js";
import { type ItemNode, WorkflowPlanItemRef } from "./item.js";

type ItemPage = FixedPage<ItemNode, number>;

export const WorkflowPlanItemConnectionRef = fixedConnection<ItemNode, number>({
  name: "WorkflowPlanItem",
  description: "A page of the items of a workflow plan, in the order of the plan.",
  node: WorkflowPlanItemRef,
  cursorType: "String",
  cursorText: writeCursor,
});

export interface ItemPageArgs {
  readonly filter?: ItemFilter | null;
  readonly first?: number | null;
  readonly after?: string | null;
}

/** The page that checked arguments ask for; a cursor that is none is an error BAD_USER_INPUT. */
export function itemPage(items: ItemIndex, { filter, first, after }: ItemPageArgs, usage: Usage): ItemPage {
  const matching = items.matching(filter ?? {});
  const place = after == null ? -1 : readCursor(after);
  const from = matching.findIndex((one) => one.place > place);
  const rest = from < 0 ? [] : matching.slice(from);
  const page = rest.slice(0, first ?? DEFAULT_PAGE_SIZE);
  return {
    edges: page.map((placed) => ({ cursor: placed.place, node: { ...placed, items, usage } })),
    hasNextPage: rest.length > page.length,
    hasPreviousPage: matching.length > rest.length,
    totalCount: matching.length,
  };
}

function writeCursor(place: number): string {
  return Buffer.from(`item ${place}`).toString("base64url");
}

function readCursor(text: string): number {
  const [, place] = /^item (0|[1-9]\d{0,5})$/.exec(Buffer.from(text, "base64url").toString()) ?? [];
  if (place !== undefined) return Number(place);
  const message = "Must be a cursor of this list, as an answer of this server had it.";
  throw badUserInput([{ path: "after", code: "MALFORMED", message }]);
}
