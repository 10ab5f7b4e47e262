/** What the peers' servers have in common: their environment, and the word that they listen. */
import { once } from "node:events";

export const port = Number(process.env.PORT);
export const databaseUrl = String(process.env.DATABASE_URL);
export const poolSize = Number(process.env.POOL_SIZE);

/**
 * Listens on PORT, and tells the process that started this one.
 * @param {import("node:http").Server} server
 */
export async function serve(server) {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  process.once("SIGTERM", () => process.exit(0));
  process.send?.("serving");
}

/**
 * Reads the JSON body of a request.
 * @param {import("node:http").IncomingMessage} request
 */
export async function bodyOf(request) {
  /** @type {Buffer[]} */
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {string} text
 */
export function answer(response, text) {
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
