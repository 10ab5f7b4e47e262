/** Ports that nobody listens on. */
import { once } from "node:events";
import { createServer } from "node:net";

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}
