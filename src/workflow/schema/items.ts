/** Pages of the items of a workflow plan. Cursors are places in the plan, which never change. */
import { z } from "zod";
import { type FixedPage, fixedConnection } from "../../graphql/connection.js";
import { addIssue, text } from "../../plan/input-fields.js";
import { CURSOR_LENGTH_LIMIT, pageSize } from "../../plan/query-inputs.js";
import { DEFAULT_PAGE_SIZE } from "../../plan/schema/page-request.js";
import type { ItemFilter, ItemIndex } from "../item-index.js";
import type { Usage } from "../usage.js";
import { type ItemNode, WorkflowPlanItemRef } from "./item.js";
import { itemFilterSchema } from "./item-filter.js";

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

/** What the arguments of a page of items must be. */
export const itemPageSchema = z.looseObject({
  filter: itemFilterSchema.nullish(),
  first: pageSize,
  after: text(CURSOR_LENGTH_LIMIT)
    .superRefine((cursor, context) => {
      if (readCursor(cursor) !== null) return;
      addIssue(context, "MALFORMED", "Must be a cursor of this list, as an answer of this server had it.");
    })
    .nullish(),
});

/** The page that checked arguments ask for. */
export function itemPage(items: ItemIndex, { filter, first, after }: ItemPageArgs, usage: Usage): ItemPage {
  const matching = items.matching(filter ?? {});
  const last = after == null ? -1 : (readCursor(after) ?? -1);
  const from = matching.findIndex(({ place }) => place > last);
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

function readCursor(text: string): number | null {
  const [, place] = /^item (0|[1-9]\d{0,5})$/.exec(Buffer.from(text, "base64url").toString()) ?? [];
  return place === undefined ? null : Number(place);
}
