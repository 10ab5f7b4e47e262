// @ts-nocheck: examples are plain JavaScript, to be read without types.

// Follows all plans over WebSocket, in the terminal:
//
//   node examples/follow-over-websocket.mjs [http://127.0.0.1:4000/graphql]
import { pathToFileURL } from "node:url";
import { createClient } from "graphql-ws";
import WebSocket from "ws";
import { FEED, keepFollowing, Plans } from "./plans.mjs";

/** The items of one feed over one connection. It ends with an error when the connection does. */
export async function* feedOverWebSocket(endpoint, after, signal) {
  // The client would subscribe again by itself, but from its first cursor; here the last one counts.
  const client = createClient({
    url: endpoint.replace(/^http/, "ws"),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { actor: "examples/terminal" },
  });
  const items = client.iterate({ query: FEED, variables: { after } });
  const leave = () => items.return();
  signal.addEventListener("abort", leave);
  try {
    for await (const { data, errors } of items) {
      if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join("; "));
      yield data.planEvents;
    }
  } finally {
    signal.removeEventListener("abort", leave);
    await client.dispose();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const endpoint = process.argv[2] ?? "http://127.0.0.1:4000/graphql";
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  await keepFollowing({
    plans: new Plans(),
    endpoint,
    signal: stop.signal,
    connect: (after, signal) => feedOverWebSocket(endpoint, after, signal),
    onTrouble: (error) => console.error(`trying again: ${error.message ?? error.reason ?? error}`),
    onChange: ({ byId }) => {
      const newest = [...byId.values()].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0];
      console.log(
        `${byId.size} plans; last ${newest?.name ?? "-"} ${newest?.phase ?? ""} ${newest?.state ?? ""}`,
      );
    },
  });
}
