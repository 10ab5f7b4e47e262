import { expect, it } from "vitest";
import { Closers } from "../src/closers.js";

it("what was opened is closed once, the last first and one after the other, also where a part fails", async () => {
  const closed: string[] = [];
  const closers = new Closers();
  closers.add(() => closed.push("database"));
  closers.add(() => {
    throw new Error("the listener had no connection");
  });
  closers.add(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    closed.push("http");
    throw new Error("a socket was not left in order");
  });
  await expect(closers.close()).rejects.toThrow("a socket");
  expect(closed).toEqual(["http", "database"]);
  await expect(closers.close()).rejects.toThrow("a socket");
  expect(closed).toEqual(["http", "database"]);
});
