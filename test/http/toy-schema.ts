/** A small schema for the tests of the HTTP room: one field for each way in which an operation can go. */
import { EventEmitter, on } from "node:events";
import { GraphQLError, GraphQLScalarType, type GraphQLSchema } from "graphql";
import { createSchema } from "graphql-yoga";

export interface Toy {
  readonly schema: GraphQLSchema;
  /** Runs of `bump` so far. */
  bumps: number;
  /** Emits one item to every open `ticks`. */
  tick(item: number): void;
  /** Source iterators of `ticks` that were opened, and those that got `return`. */
  opened: number;
  returned: number;
  /** What `gated` operations wait for. */
  openGate(): void;
  /** How many wait at the gate. */
  readonly waiting: () => number;
}

export function createToy(): Toy {
  const ticks = new EventEmitter().setMaxListeners(0);
  const gate = new EventEmitter().setMaxListeners(0);
  let isOpen = false;
  const pass = () => (isOpen ? Promise.resolve() : new Promise<void>((done) => gate.once("open", done)));
  const Even = new GraphQLScalarType({
    name: "Even",
    parseValue(value) {
      if (typeof value !== "number" || value % 2 !== 0) throw new TypeError("It must be an even number");
      return value;
    },
  });
  const toy: Toy = {
    bumps: 0,
    opened: 0,
    returned: 0,
    tick: (item) => void ticks.emit("tick", item),
    openGate() {
      isOpen = true;
      gate.emit("open");
    },
    waiting: () => gate.listenerCount("open"),
    schema: createSchema<{ actor?: string | null }>({
      typeDefs: /* GraphQL */ `
        scalar Even
        type Query {
          hello(name: String = "world"): String!
          even(value: Even!): Boolean!
          required(value: Int!): Int!
          actor: String
          fails: String
          refuses: String
          tooLong: String
          nodes(first: Int, last: Int): NodeConnection!
          gated: String!
        }
        type Node { name: String! parent: Node nodes(first: Int, last: Int): NodeConnection! }
        type NodeConnection { edges: [NodeEdge!]! }
        type NodeEdge { node: Node! }
        type Mutation { bump: Int! gatedBump: Int! }
        type Subscription { ticks: Int! gatedTicks: Int! failing: Int! refused: Int! big(count: Int!): String! }
      `,
      resolvers: {
        Even,
        Query: {
          hello: (_root, { name }) => `hello ${name}`,
          even: () => true,
          required: (_root, { value }) => value,
          actor: (_root, _args, context) => context.actor,
          fails: () => {
            throw new Error("SELECT * FROM secrets failed at /srv/secret.ts");
          },
          refuses: () => {
            throw new GraphQLError("There is none.", { extensions: { code: "NOT_FOUND" } });
          },
          tooLong: () => "x".repeat(2 ** 30),
          nodes: () => ({ edges: [] }),
          gated: () => pass().then(() => "open"),
        },
        Mutation: {
          bump: () => ++toy.bumps,
          gatedBump: () => pass().then(() => ++toy.bumps),
        },
        Subscription: {
          ticks: { subscribe: () => source(), resolve: (item: number) => item },
          gatedTicks: { subscribe: () => pass().then(source), resolve: (item: number) => item },
          failing: {
            async *subscribe() {
              yield 1;
              throw new Error("SELECT * FROM secrets failed at /srv/secret.ts");
            },
            resolve: (item: number) => item,
          },
          refused: {
            subscribe: () =>
              Promise.reject(new GraphQLError("There is none.", { extensions: { code: "NOT_FOUND" } })),
          },
          big: {
            async *subscribe(_root: unknown, { count }: { count: number }) {
              toy.opened += 1;
              try {
                for (let n = 0; n < count; n += 1) {
                  toy.bumps = n;
                  yield "x".repeat(20_000);
                }
              } finally {
                toy.returned += 1;
              }
            },
            resolve: (item: string) => item,
          },
        },
      },
    }),
  };
  return toy;

  function source(): AsyncIterableIterator<number> {
    toy.opened += 1;
    const leaving = new AbortController();
    const items = on(ticks, "tick", { signal: leaving.signal });
    return {
      async next() {
        const step = await items.next().catch(() => ({ done: true as const, value: undefined }));
        return step.done ? { done: true, value: undefined } : { done: false, value: step.value[0] };
      },
      async return() {
        toy.returned += 1;
        leaving.abort();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
