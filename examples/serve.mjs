// @ts-nocheck: examples are plain JavaScript, to be read without types.

// Serves this folder to browsers of this machine, so that board.html can load its modules:
//
//   node examples/serve.mjs        then open http://127.0.0.1:8080/board.html
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const FILES = {
  "/board.html": "text/html",
  "/plans.mjs": "text/javascript",
  "/follow-over-sse.mjs": "text/javascript",
};

createServer(async (request, response) => {
  const path = new URL(request.url, "http://127.0.0.1").pathname;
  const type = FILES[path];
  if (type === undefined) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": `${type}; charset=utf-8` });
  response.end(await readFile(new URL(`.${path}`, import.meta.url)));
}).listen(8080, "127.0.0.1", () => console.log("http://127.0.0.1:8080/board.html"));
