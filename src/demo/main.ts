/**
 * The demonstration: fills a running server with plans, or with `--live` keeps moving them until it is ended.
 * It is a client like any other, and no part of the server.
 */
import { parseArgs } from "node:util";
import { type Api, apiOf, ServerAway } from "./api.js";
import { fill } from "./fill.js";
import { live } from "./live.js";
import { overview } from "./overview.js";

const usage = `Usage: npm run demo -- [--live] [URL]

  URL      the server's address; PHASELINE_URL without one, else http://127.0.0.1:4000
  --live   keep moving plans, one every second or two, until Ctrl-C
`;

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());

try {
  const { values, positionals } = parseArgs({
    options: { live: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const url = positionals[0] ?? process.env.PHASELINE_URL ?? "http://127.0.0.1:4000";
  if (values.help) process.stdout.write(usage);
  else await (values.live ? keepMoving : fillOnce)(apiOf(url, stopping.signal));
} catch (error) {
  if (!stopping.signal.aborted) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

async function fillOnce(api: Api): Promise<void> {
  const made = await fill(api);
  process.stdout.write(`
Made ${made} plans, in every phase and state. The server now has:

${await overview(api)}

Look at them in the playground: ${api.url}/graphql
See them move:                  npm run demo -- --live
`);
}

async function keepMoving(api: Api): Promise<void> {
  await api.ask("{ __typename }");
  process.stdout.write(`Moving plans at ${api.url} until Ctrl-C.\n\n`);
  const moves = await live(api, {
    pauseMs: 1_500,
    signal: stopping.signal,
    say: (line) => process.stdout.write(`${new Date().toLocaleTimeString("en-GB")}  ${line}\n`),
  });
  process.stdout.write(`\nEnded after ${moves} moves.\n`);
}

function explain(error: unknown): string {
  if (error instanceof ServerAway)
    return `${error.message} Start one with "npm start", or name its address: npm run demo -- http://host:port`;
  return error instanceof Error ? error.message : String(error);
}
