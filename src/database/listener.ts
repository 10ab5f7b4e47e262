/**
 * A LISTEN connection that lives until it is ended: lost, it connects again by itself. A wake-up that was lost
 * meanwhile is made up for by the one after each new connection.
 */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

const firstPauseMs = 100;
const longestPauseMs = 5_000;
const connectTimeoutMs = 10_000;
/** A connection whose peer vanished is quiet for ever: after this long, the operating system asks. */
const keepAliveAfterMs = 10_000;

/**
 * Resolves once it listens, or rejects where the first connection fails; resolves to the function that ends it.
 * `wake` is called at once and after each reconnection, `onError` for each loss.
 */
export async function superviseListener(
  url: string,
  channel: string,
  wake: () => void,
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const ended = new AbortController();
  let current = await connect(url, channel, wake);
  wake();

  const supervision = (async () => {
    for (;;) {
      const loss = await lost(current, ended.signal);
      await current.end().catch(() => undefined);
      if (ended.signal.aborted) return;
      onError(loss);
      const next = await reconnect(url, channel, wake, onError, ended.signal);
      if (!next) return;
      current = next;
      wake();
    }
  })();

  return async () => {
    ended.abort();
    await supervision;
  };
}

async function connect(url: string, channel: string, wake: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
  });
  // A client without a listener for errors would end the process; whoever waits for it is told all the same.
  client.on("error", () => undefined);
  client.on("notification", () => wake());
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Tries until it succeeds, or until it is ended. */
async function reconnect(
  url: string,
  channel: string,
  wake: () => void,
  onError: (error: unknown) => void,
  ended: AbortSignal,
): Promise<pg.Client | undefined> {
  for (let ceiling = firstPauseMs; !ended.aborted; ceiling = Math.min(ceiling * 2, longestPauseMs)) {
    await pause(ceiling * (0.5 + Math.random() / 2), undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) break;
    try {
      return await connect(url, channel, wake);
    } catch (error) {
      onError(error);
    }
  }
  return undefined;
}

/** Resolves when the client's connection is gone, or when the listener was ended. */
function lost(client: pg.Client, ended: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (loss?: unknown) => {
      ended.removeEventListener("abort", onAbort);
      resolve(loss);
    };
    const onAbort = () => settle();
    ended.addEventListener("abort", onAbort);
    client.once("error", settle);
    client.once("end", () => settle(new Error("the connection of a listener ended")));
    if (ended.aborted) settle();
  });
}
