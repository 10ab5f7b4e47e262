import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { eventStream } from "../../src/http/event-stream.js";
import { openExchange } from "../../src/http/exchange.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("a stream whose source fails fails too, and keeps nothing alive any more", async () => {
  const results = (async function* () {
    yield { data: { n: 1 } };
    throw new Error("down");
  })();
  const exchange = openExchange("http", null);
  const response = eventStream(results, exchange, 1_000);
  await expect(response.text()).rejects.toThrow("down");
  expect(vi.getTimerCount()).toBe(0);
});
