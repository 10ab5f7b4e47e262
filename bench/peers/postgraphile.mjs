/** PostGraphile 5 as a library on `node:http`, with the preset that its documentation starts from. */
import "./promise-with-resolvers.mjs";
import { createServer } from "node:http";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { databaseUrl, poolSize, serve } from "./serving.mjs";

/** @type {GraphileConfig.Preset} */
const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [
    makePgService({ connectionString: databaseUrl, schemas: ["public"], poolConfig: { max: poolSize } }),
  ],
  grafserv: { watch: false, graphiql: false },
  grafast: { explain: false },
};

const instance = postgraphile(preset);
const server = createServer();
const grafservInstance = instance.createServ(grafserv);
await grafservInstance.addTo(server);
await grafservInstance.ready();
await serve(server);
