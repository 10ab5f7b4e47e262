/**
 * Random operations over HTTP and WebSocket while plans are moved: every answer is data or a typed refusal, and the
 * memory of the server levels off. `npm run soak -- queries 600`
 */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { buildSchema } from "graphql";
import { expect, it } from "vitest";
import { apiOf } from "../../src/demo/api.js";
import { fill } from "../../src/demo/fill.js";
import { live } from "../../src/demo/live.js";
import { createDirectory, createServerDatabase } from "../support/databases.js";
import { type Frame, openSocket, post } from "../support/http.js";
import { type Random, randomOf } from "../support/random.js";
import { type RandomOperation, randomOperationsOf } from "../support/random-operations.js";
import { startServerProcess } from "../support/server-process.js";
import { mebibytes, residentBytes } from "./numbers.js";
import { soakSeconds } from "./seconds.js";

const HTTP_CLIENTS = 6;
const SOCKET_CLIENTS = 3;
/** So many operations of each client are asked again and again, as dashboards do. */
const KEPT = 50;
/** So many values of each name are kept to ask with. */
const KEPT_VALUES = 500;
const SAMPLE_MS = 500;

it.each([
  ["PostgreSQL", createServerDatabase],
  ["the embedded database", createDirectory],
] as const)("random operations on %s find no internal error, and memory levels off", async (home, create) => {
  const place = await create("migrated");
  const server = await startServerProcess(place.config);
  const api = apiOf(new URL(server.endpoint).origin);
  await fill(api);
  const documents = await freezeSome(server.endpoint);
  const schema = buildSchema(await readFile(new URL("../../schema.graphql", import.meta.url), "utf8"));
  const known = knownValues(documents);
  const seconds = soakSeconds(600);
  const over = AbortSignal.timeout(seconds * 1_000);
  const outcomes = new Map<string, number>();
  const internal: string[] = [];

  const note = (operation: RandomOperation, errors: readonly ErrorFacts[], data: unknown) => {
    known.learn(data);
    const codes = errors.map(({ extensions }) => extensions?.code ?? "none");
    for (const code of codes.length > 0 ? codes : ["answered"])
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
    if (codes.some((code) => ["none", "INTERNAL_SERVER_ERROR"].includes(code)))
      internal.push(`${JSON.stringify(operation)}: ${JSON.stringify(errors)}`);
  };

  const moving = live(api, { pauseMs: 20, signal: over, say: () => {} });
  const clients = Array.from({ length: HTTP_CLIENTS }, async (_, seed) => {
    const random = randomOf(seed);
    const next = operationsOf(random, () => randomOperationsOf(schema, random, known.of(random)).query());
    while (!over.aborted) {
      const operation = next();
      const { body } = await post(server.endpoint, operation);
      note(operation, body.errors ?? [], body.data);
    }
  });
  const sockets = Array.from({ length: SOCKET_CLIENTS }, async (_, seed) => {
    const random = randomOf(100 + seed);
    const operations = randomOperationsOf(schema, random, known.of(random));
    const next = operationsOf(random, () =>
      random.chance(0.5) ? operations.subscription() : operations.query(),
    );
    const client = await openSocket(server.endpoint);
    for (let id = 1; !over.aborted; id += 1) {
      const operation = next();
      client.send({ id: String(id), type: "subscribe", payload: operation });
      let wanted = 1 + random.below(3);
      // A feed of what never happens stays quiet; it is left alone after a while.
      const leaving = setTimeout(() => client.send({ type: "ping" }), 500);
      for (;;) {
        const frame: Frame = await client.next();
        if (frame.type === "pong") {
          client.send({ id: String(id), type: "complete" });
          break;
        }
        if (frame.id !== String(id)) continue;
        if (frame.type === "complete") break;
        if (frame.type === "error") {
          note(operation, frame.payload as ErrorFacts[], null);
          break;
        }
        const { errors, data } = frame.payload as { errors?: ErrorFacts[]; data?: unknown };
        note(operation, errors ?? [], data);
        wanted -= 1;
        if (wanted === 0) client.send({ id: String(id), type: "complete" });
        if (wanted <= 0) break;
      }
      clearTimeout(leaving);
    }
    client.socket.terminate();
  });
  const resident: number[] = [];
  while (!over.aborted) {
    resident.push(await residentBytes(server.pid));
    await pause(SAMPLE_MS);
  }
  await Promise.all([...clients, ...sockets]);
  const moves = await moving;

  const third = Math.floor(resident.length / 3);
  const [middle, last] = [median(resident.slice(third, 2 * third)), median(resident.slice(2 * third))];
  console.log(
    `On ${home}: ${JSON.stringify(Object.fromEntries(outcomes))}, while plans moved ${moves} times.`,
  );
  console.log(
    `Resident: ${mebibytes(median(resident.slice(0, third)))}, ${mebibytes(middle)} and ${mebibytes(last)} MiB as medians of the thirds; at most ${mebibytes(Math.max(...resident))}.`,
  );
  expect(internal).toEqual([]);
  expect(outcomes.get("answered") ?? 0).toBeGreaterThan(resident.length);
  if (seconds >= 300) expect(last).toBeLessThan(middle * 1.1);
  expect(await server.kill("SIGTERM").then(server.exited)).toBe(0);
  await place.remove();
});

interface ErrorFacts {
  readonly message: string;
  readonly extensions?: { readonly code?: string };
}

/** Operations of `make`, most of them asked before. */
function operationsOf(random: Random, make: () => RandomOperation): () => RandomOperation {
  const kept: RandomOperation[] = [];
  return () => {
    if (kept.length === KEPT && random.chance(0.7)) return random.pick(kept);
    const made = make();
    if (kept.length < KEPT) kept.push(made);
    else kept[random.below(KEPT)] = made;
    return made;
  };
}

/** Freezes the documents of the vectors; resolves to their texts. */
async function freezeSome(endpoint: string): Promise<readonly string[]> {
  const accepted = new URL("../../../shared/vectors/workflow-plan/accept/", import.meta.url);
  const files = (await readdir(accepted)).filter((file) => file.endsWith(".json"));
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, accepted), "utf8")));
  for (const text of texts) {
    const { body } = await post(endpoint, { query: CREATE });
    const { plan } = (body.data as { createPlan: { plan: { id: string } } }).createPlan;
    await post(endpoint, { query: FREEZE, variables: { input: { planId: plan.id, document: { text } } } });
  }
  return texts;
}

const CREATE = `mutation { createPlan(input: { actionName: "local/review", projectLinks: [{ projectName: "local/shop" }] }) {
  ... on CommandSuccess { plan { id } } } }`;
const FREEZE = `mutation ($input: FreezeWorkflowPlanInput!) { freezeWorkflowPlan(input: $input) { __typename } }`;

/** Values for arguments: those that answers had under such a name, and some that nobody had. */
function knownValues(documents: readonly string[]) {
  const seen = new Map<string, string[]>();
  let learned = 0;
  const learn = (value: unknown, name = ""): void => {
    if (typeof value === "string" && value.length <= 200) {
      const values = seen.get(name) ?? [];
      values[learned % Math.min(values.length + 1, KEPT_VALUES)] = value;
      learned += 1;
      seen.set(name, values);
    } else if (Array.isArray(value)) for (const one of value) learn(one, name);
    else if (typeof value === "object" && value !== null)
      for (const [key, one] of Object.entries(value)) learn(one, key.replace(/^[A-Z][A-Za-z]*_|\d+$/g, ""));
  };
  return {
    learn,
    of: (random: Random) => (name: string, type: string) => {
      const { pick, chance, below } = random;
      const named = (...names: readonly string[]): string => {
        const values = names.flatMap((one) => seen.get(one) ?? []);
        return values.length > 0 && chance(0.9) ? pick(values) : pick(ODD_TEXTS);
      };
      if (type === "ULID") return chance(0.9) ? named("id", "planId") : "01ARZ3NDEKTSV4RRFFQ69G5FAV";
      if (type === "EventCursor") return named("cursor", "asOf", "endCursor");
      if (type === "DateTime") return new Date(Date.now() - below(600_000)).toISOString();
      if (type === "Int") return chance(0.95) ? 1 + below(10) : pick([-1, 0, 100, 101, 2_147_483_647]);
      if (type === "Boolean") return chance(0.5);
      if (name === "text") return pick(documents);
      if (name === "before" || name === "after") return named("cursor", "endCursor", "startCursor");
      if (name === "json") return pick(ODD_TEXTS);
      return named(name, name.replace(/s$/, ""), "actionName", "projectName", "tags");
    },
  };
}

const ODD_TEXTS = ["", "local/shop", "%", "_", "\\", "'", "é\u{1F600}", "x".repeat(300), "__proto__"];

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
