import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RawAnswer, send, startTestServer, type TestServer } from "../support/http.js";
import { createToy } from "./toy-schema.js";

let server: TestServer;
let page: RawAnswer;

beforeAll(async () => {
  server = await startTestServer(createToy().schema, {
    playground: { title: "Toy plans", tabs: [{ query: "query First { hello }" }, { query: "{ actor }" }] },
  });
  page = await send(server.endpoint, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
});

afterAll(() => server.stop());

describe("the playground", () => {
  it("is shown to a browser that opens the API's address, with its tabs", () => {
    expect(page).toMatchObject({ status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
    expect(page.body).toContain("<title>Toy plans</title>");
    expect(page.body).toContain('"defaultTabs":[{"query":"query First { hello }"},{"query":"{ actor }"}]');
    expect(page.body).toContain('"subscriptionsProtocol":"WS"');
  });

  it("brings everything along, and is kept from asking another host for more", () => {
    expect(page.body).not.toMatch(/<(script|img|link|iframe)[^>]+(src|href)="(https?:)?\/\//);
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
  });

  it("runs its own script and no other", () => {
    const script = /<script>([\s\S]*)<\/script>/.exec(page.body)?.[1] ?? "";
    const digest = createHash("sha256").update(script).digest("base64");
    expect(page.headers["content-security-policy"]).toContain(`script-src 'sha256-${digest}' blob:;`);
  });

  it("is made anew for the next browser where making it failed", async () => {
    let fails = true;
    const failing = await startTestServer(createToy().schema, {
      playground: {
        title: "Toy plans",
        get tabs() {
          if (fails) throw new Error("no memory left");
          return [];
        },
      },
    });
    const open = () => send(failing.endpoint, { headers: { accept: "text/html" } });
    expect(await open()).toMatchObject({ status: 500 });
    fails = false;
    expect(await open()).toMatchObject({ status: 200 });
    await failing.stop();
  });
});
