/** A limit, no product: sends each client the same ready string. It knows neither operations nor their ids. */
import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { nextItems } from "./feed.mjs";
import { answerPublishing } from "./publishing.mjs";
import { serve } from "./serving.mjs";

const server = createServer((_request, response) => response.writeHead(404).end());
const sockets = new WebSocketServer({ server, path: "/graphql" });
sockets.on("connection", (socket) => {
  // The first message of the protocol is answered, so that the clients are the same; all others are ignored.
  socket.once("message", () => socket.send('{"type":"connection_ack"}'));
});
answerPublishing((count, noteBytes, handedOver) => {
  handedOver();
  for (const { event, ...item } of nextItems(count, noteBytes)) {
    const { data, ...asked } = event;
    const text = JSON.stringify({
      id: "7b8f3a52-6f0b-4c43-8f2e-3d1c9c6f4a10",
      type: "next",
      payload: { data: { planEvents: { ...item, event: noteBytes === 0 ? asked : event } } },
    });
    for (const socket of sockets.clients) socket.send(text);
  }
});
await serve(server);
