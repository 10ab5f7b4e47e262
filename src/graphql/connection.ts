/** Relay-style connections over pages that the store has read whole: edges, page info, a total and `asOf`. */
import type { ObjectRef } from "@pothos/core";
import { settled } from "../execution/settled.js";
import type { Page } from "../plan/reading.js";
import { builder } from "./builder.js";
import type { Context } from "./context.js";

interface PageInfo {
  readonly hasNextPage: boolean | null;
  readonly hasPreviousPage: boolean | null;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

const PageInfoRef = builder.objectRef<PageInfo>("PageInfo").implement({
  extensions: settled,
  description: "Where a page begins and ends, and whether there is more on either side.",
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: "Whether there is more after the page.",
      resolve: ({ hasNextPage }) => known(hasNextPage),
    }),
    hasPreviousPage: t.boolean({
      description: "Whether there is more before the page.",
      resolve: ({ hasPreviousPage }) => known(hasPreviousPage),
    }),
    startCursor: t.exposeString("startCursor", {
      nullable: true,
      description: "The first item's cursor, to page backwards with `before`; null on an empty page.",
    }),
    endCursor: t.exposeString("endCursor", {
      nullable: true,
      description: "The last item's cursor, to page forwards with `after`; null on an empty page.",
    }),
  }),
});

interface ConnectionOptions<Node, Cursor> {
  readonly name: string;
  readonly description: string;
  readonly node: ObjectRef<typeof builder.$inferSchemaTypes, Node>;
  readonly cursorType: "String" | "EventCursor";
  readonly cursorText: (cursor: Cursor, context: Context) => string;
}

/** A page of a list that never changes, so that it is of no moment. */
export type FixedPage<Node, Cursor> = Omit<Page<Node, Cursor>, "asOf">;

/** The types NAMEEdge and NAMEConnection of the pages of one kind of node. */
export function connection<Node, Cursor, NodePage extends Page<Node, Cursor> = Page<Node, Cursor>>(
  options: ConnectionOptions<Node, Cursor>,
) {
  const ref = fixedConnection<Node, Cursor, NodePage>(options);
  builder.objectField(ref, "asOf", (t) =>
    t.field({
      type: "EventCursor",
      description: "The head of the log when the page was read: everything up to it is in the answer.",
      resolve: ({ asOf }, _args, { feeds }) => feeds.cursor(asOf),
    }),
  );
  return ref;
}

/** The same for lists that never change. */
export function fixedConnection<
  Node,
  Cursor,
  NodePage extends FixedPage<Node, Cursor> = FixedPage<Node, Cursor>,
>(options: ConnectionOptions<Node, Cursor>) {
  const { name, description, node, cursorType, cursorText } = options;
  const edgeRef = builder.objectRef<Page<Node, Cursor>["edges"][number]>(`${name}Edge`).implement({
    extensions: settled,
    description: `An item of a ${name}Connection, with its place.`,
    fields: (t) => ({
      cursor: t.field({
        type: cursorType,
        description: "The item's place, to page on from.",
        resolve: (edge, _args, context) => cursorText(edge.cursor, context),
      }),
      node: t.field({ type: node, description: "The item.", resolve: (edge) => edge.node as never }),
    }),
  });
  return builder.objectRef<NodePage>(`${name}Connection`).implement({
    extensions: settled,
    description,
    fields: (t) => ({
      edges: t.field({
        type: [edgeRef],
        description: "The items of the page.",
        resolve: (page) => page.edges,
      }),
      pageInfo: t.field({
        type: PageInfoRef,
        description: "Where the page begins and ends, and whether there is more.",
        resolve: ({ edges, hasNextPage, hasPreviousPage }, _args, context) => {
          const cursorAt = (index: number) => {
            const edge = edges.at(index);
            return edge === undefined ? null : cursorText(edge.cursor, context);
          };
          return { hasNextPage, hasPreviousPage, startCursor: cursorAt(0), endCursor: cursorAt(-1) };
        },
      }),
      totalCount: t.int({
        description: "How many items match in all pages together; counted only where it is asked for.",
        resolve: ({ totalCount }) => known(totalCount),
      }),
    }),
  });
}

/** What the look ahead saw that it is asked for, was read with the page. */
function known<Fact>(fact: Fact | null): Fact {
  if (fact === null) throw new Error("A fact about a list was asked for that was not read with its page.");
  return fact;
}
