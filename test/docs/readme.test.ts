/** What the README shows is what happens: its examples run, in their order, and its tables agree with the code. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isEnumType } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.js";
import { phaselineSchema } from "../../src/graphql/schema.js";
import { startTestApp, type TestApp } from "../support/app.js";
import { createDirectory } from "../support/databases.js";
import { openEvents } from "../support/http.js";
import { type Block, blocks, quoted, tableBelow } from "./readme.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

describe("the README's examples", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await createDirectory("migrated"));
  });
  afterAll(() => app.close());

  const all = blocks();
  const [opening, follower] = all.filter(({ language }) => language === "js");

  it("begin with a program that prints what is shown", async () => {
    const shown = all.find(({ language }) => language === "text")?.code ?? "";
    const printed = await program(opening);
    expect(printed.split("\n")).toEqual(shown.split("\n").map(pattern));
  });

  it("lead through the tour as shown, and let it be followed again both ways", async () => {
    let id = "";
    let cursor = "";
    for (const { code, heading } of all.filter(({ language }) => language === "graphql")) {
      const data = await app.ask<Record<string, unknown>>(code, { id });
      const made = /"cursor":"(?<cursor>[^"]+)".*?"id":"(?<id>[^"]+)"/.exec(JSON.stringify(data))?.groups;
      if (id === "") ({ id = "", cursor = "" } = made ?? {});
      expect(data, heading).toMatchObject(answerBelow(code));
    }

    const { headers, body } = requestOf(all.find(({ code }) => code.startsWith("curl"))?.code ?? "");
    expect(headers).toEqual({ "content-type": "application/json", accept: "text/event-stream" });
    const stream = await openEvents(app.endpoint, { ...body, variables: { after: cursor } });
    const first = await stream.next();
    expect(first?.data?.data).toMatchObject({ planEvents: { event: { type: "PHASE_STARTED" } } });
    stream.drop();

    const printed = await program(follower, [cursor]);
    expect(printed).toContain("PHASE_STARTED");
    expect(printed).toContain("PLAN_APPLIED");
  });

  /** Runs a program of the README against the server of the test, and answers what it prints. */
  async function program(block: Block | undefined, args: readonly string[] = []): Promise<string> {
    const code = (block?.code ?? "").replaceAll("127.0.0.1:4000", new URL(app.endpoint).host);
    const { stdout } = await run(
      process.execPath,
      ["--input-type=module", "--eval", code, "example.mjs", ...args],
      {
        cwd: root,
      },
    );
    return stdout;
  }

  /** The answer that is shown below an operation, with "…" for what differs from time to time. */
  function answerBelow(code: string): object {
    const next = all[all.findIndex((block) => block.code === code) + 1];
    if (next?.language !== "json") throw new Error(`No answer is shown below ${code}`);
    return JSON.parse(next.code, (_, value) => (value === "…" ? expect.anything() : value));
  }
});

describe("the README", () => {
  it("shows the two commands", () => {
    expect(blocks().map(({ code }) => code)).toEqual(
      expect.arrayContaining(["npm ci && npm start\n", "npm ci && npm test\n"]),
    );
  });

  it("has every setting with its default and its range", () => {
    const source = readFileSync(new URL("../../src/config.ts", import.meta.url), "utf8");
    const read = [...source.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
    const shown = tableBelow("Settings").filter(([name]) => name?.startsWith("`"));
    expect(shown.map(([name = ""]) => quoted(name)[0])).toEqual(read);
    const server = { DATABASE_URL: "postgres://localhost/x" };
    for (const [name = "", otherwise = "", range = ""] of shown) {
      const refused = readConfig({ [quoted(name)[0] ?? ""]: "-1" });
      const [, least, most] = /from (\d+) to (\d+)/.exec(JSON.stringify(refused)) ?? [];
      expect([name, range]).toEqual([name, least === undefined ? "" : `${least} – ${most}`]);
      const given = { [quoted(name)[0] ?? ""]: quoted(otherwise)[0] ?? "" };
      expect(readConfig(given)).toEqual(readConfig({}));
      expect(readConfig({ ...server, ...given })).toEqual(
        name === "`DATABASE_URL`" ? readConfig({}) : readConfig(server),
      );
    }
  });

  it("names every reason why a command may be refused", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const codes = ["RefusalCode", "BlockerCode"].flatMap((name) => {
      const type = phaselineSchema().getType(name);
      return isEnumType(type) ? type.getValues().map((value) => value.name) : [];
    });
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !readme.includes(`\`${code}\``))).toEqual([]);
  });

  it("names error codes that the code knows", () => {
    const files = [
      "http/guard",
      "http/refusals",
      "http/limits",
      "http/failures",
      "http/server",
      "http/socket-operations",
      "http/yoga",
      "graphql/invalid-input",
    ];
    const source = files
      .map((file) => readFileSync(new URL(`../../src/${file}.ts`, import.meta.url), "utf8"))
      .join("");
    const codes = tableBelow("Limits and errors").flatMap(([cell = ""]) => quoted(cell));
    expect(codes.length).toBeGreaterThan(10);
    expect(
      codes
        .filter((code) => code.includes("_") && !code.startsWith("PHASELINE_"))
        .filter((code) => !source.includes(`"${code}"`)),
    ).toEqual([]);
  });
});

function pattern(line: string): unknown {
  if (!line.includes("…")) return line;
  const [before = "", after = ""] = line.split("…");
  return expect.toSatisfy((printed: string) => printed.startsWith(before) && printed.endsWith(after));
}

/** What curl would send. */
function requestOf(command: string) {
  const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]);
  return { headers: Object.fromEntries(headers), body: JSON.parse(/-d '(.+)'/.exec(command)?.[1] ?? "null") };
}
