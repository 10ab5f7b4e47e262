/** Yoga with graphql-ws and Yoga's `createPubSub`, as Yoga's documentation sets up subscriptions over WebSocket. */
import { createServer } from "node:http";
import { useServer } from "graphql-ws/use/ws";
import { createPubSub, createSchema, createYoga } from "graphql-yoga";
import { WebSocketServer } from "ws";
import { nextItems, typeDefs } from "./feed.mjs";
import { answerPublishing } from "./publishing.mjs";
import { serve } from "./serving.mjs";

/** @type {import("graphql-yoga").PubSub<{ planEvents: [item: import("./feed.mjs").Item] }>} */
const events = createPubSub();
const yoga = createYoga({
  graphiql: false,
  schema: createSchema({
    typeDefs,
    resolvers: {
      Query: { asOf: () => "" },
      Subscription: {
        planEvents: {
          subscribe: () => events.subscribe("planEvents"),
          resolve: (/** @type {unknown} */ item) => item,
        },
      },
    },
  }),
});

const server = createServer(yoga);
const sockets = new WebSocketServer({ server, path: yoga.graphqlEndpoint });
useServer(
  {
    execute: (/** @type {any} */ args) => args.rootValue.execute(args),
    subscribe: (/** @type {any} */ args) => args.rootValue.subscribe(args),
    onSubscribe: async (context, _id, params) => {
      const { schema, execute, subscribe, contextFactory, parse, validate } = yoga.getEnveloped({
        ...context,
        req: context.extra.request,
        socket: context.extra.socket,
        params,
      });
      const args = {
        schema,
        operationName: params.operationName,
        document: parse(params.query),
        variableValues: params.variables,
        contextValue: await contextFactory(),
        rootValue: { execute, subscribe },
      };
      const errors = validate(args.schema, args.document);
      if (errors.length > 0) return errors;
      return args;
    },
  },
  sockets,
);
answerPublishing((count, noteBytes, handedOver) => {
  handedOver();
  for (const item of nextItems(count, noteBytes)) events.publish("planEvents", item);
});
await serve(server);
