import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/http/log.js";

/** What a log writes to a stream that is, or is not, a terminal. */
function written(isTTY: boolean): string {
  const destination = Object.assign(new PassThrough(), { isTTY });
  const log = createLog({ level: "warn" }, destination);
  log.info("left out");
  log.warn({ requestId: "r1" }, "kept");
  return String(destination.read());
}

describe("the log", () => {
  it("is one JSON object in a line, from its level up", () => {
    expect(JSON.parse(written(false))).toMatchObject({ level: 40, requestId: "r1", msg: "kept" });
  });

  it("is readable on a terminal", () => {
    const text = written(true);
    expect(text).toContain("WARN");
    expect(text).toContain("kept");
    expect(() => JSON.parse(text)).toThrow();
  });
});
