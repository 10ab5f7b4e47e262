/** graphql-ws alone over graphql-js, without a server framework; its events come from the same `createPubSub`. */
import { createServer } from "node:http";
import { useServer } from "graphql-ws/use/ws";
import { createPubSub, createSchema } from "graphql-yoga";
import { WebSocketServer } from "ws";
import { nextItems, typeDefs } from "./feed.mjs";
import { answerPublishing } from "./publishing.mjs";
import { serve } from "./serving.mjs";

/** @type {import("graphql-yoga").PubSub<{ planEvents: [item: import("./feed.mjs").Item] }>} */
const events = createPubSub();
const schema = createSchema({
  typeDefs,
  resolvers: {
    Subscription: {
      planEvents: {
        subscribe: () => events.subscribe("planEvents"),
        resolve: (/** @type {unknown} */ item) => item,
      },
    },
  },
});

const server = createServer((_request, response) => response.writeHead(404).end());
useServer({ schema }, new WebSocketServer({ server, path: "/graphql" }));
answerPublishing((count, noteBytes, handedOver) => {
  handedOver();
  for (const item of nextItems(count, noteBytes)) events.publish("planEvents", item);
});
await serve(server);
