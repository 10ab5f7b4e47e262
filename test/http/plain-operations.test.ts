import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { post, send, startTestServer, type TestServer } from "../support/http.js";
import { createToy } from "./toy-schema.js";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(createToy().schema);
});

afterAll(() => server.stop());

interface Operation {
  readonly query: string;
  readonly variables?: object;
  readonly operationName?: string;
}

/** What depends on neither the moment nor the request's id. */
function lasting({ status, headers, body }: { status?: number | undefined; headers: object; body: string }) {
  const { date, "x-request-id": id, ...rest } = headers as Record<string, unknown>;
  return { status, headers: rest, body: JSON.parse(body.replaceAll(String(id), "ID")) };
}

/** The engine answers each GET. */
async function engineAnswer({ query, variables, operationName }: Operation, accept: Record<string, string>) {
  const url = new URL(server.endpoint);
  url.searchParams.set("query", query);
  if (variables) url.searchParams.set("variables", JSON.stringify(variables));
  if (operationName) url.searchParams.set("operationName", operationName);
  return lasting(await send(url.href, { headers: { ...accept, "x-phaseline-csrf": "1" } }));
}

async function plainAnswer(operation: Operation, accept: Record<string, string>) {
  const headers = { ...accept, "content-type": "application/json" };
  return lasting(await send(server.endpoint, { method: "POST", headers, body: JSON.stringify(operation) }));
}

describe("an operation in its plain form", () => {
  it.each([
    [{}],
    [{ accept: "*/*" }],
    [{ accept: "application/json" }],
    [{ accept: "Application/JSON ; charset=utf-8" }],
    [{ accept: "application/*" }],
    [{ accept: "application/graphql-response+json" }],
    [{ accept: "application/graphql-response+json, application/json;q=0.9" }],
    [{ accept: "application/json, application/graphql-response+json" }],
    [{ accept: "image/png, application/json" }],
    [{ accept: "text/event-stream, */*" }],
    [{ accept: "application/json;charset=utf-16, application/graphql-response+json" }],
  ])("is answered to %j as the engine answers it", async (accept) => {
    const operations: Operation[] = [
      { query: "{ hello }" },
      { query: "query A { hello } query B($name: String) { hello(name: $name) }", operationName: "B" },
      { query: "query ($name: String) { hello(name: $name) }", variables: { name: "\u2028 ü" } },
      { query: "{ hello fails refuses nodes { edges { node { name } } } }" },
      { query: "query ($v: Int!) { required(value: $v) }", variables: { v: "x" } },
      { query: "{ unknown }" },
      { query: "{ __typename __schema { queryType { name } } }" },
    ];
    for (const operation of operations) {
      expect(await plainAnswer(operation, accept)).toEqual(await engineAnswer(operation, accept));
    }
  });

  it("stands in the log with its name and its kind, and with the codes of its errors", async () => {
    const { headers } = await post(server.endpoint, { query: "query Named { hello refuses }" });
    const id = headers.get("x-request-id");
    const line = { operation: "Named", kind: "query", status: 200, errorCodes: ["NOT_FOUND"] };
    await expect.poll(() => server.lines.find(({ requestId }) => requestId === id)).toMatchObject(line);
  });

  it("is within the limits for the page sizes of its variables, not for those of the one before", async () => {
    const query = `query ($first: Int) { nodes(first: $first) { edges { node { nodes(first: $first) { edges { node {
      nodes(first: $first) { edges { node { name } } } } } } } } } }`;
    const codes = async (first: number) =>
      (await post(server.endpoint, { query, variables: { first } })).body.errors?.map(
        (error) => error.extensions.code,
      );
    expect(await codes(10)).toBeUndefined();
    expect(await codes(1000)).toEqual(["QUERY_TOO_COSTLY"]);
    expect(await codes(10)).toBeUndefined();
  });
});
