/**
 * A LISTEN connection that lives until it is ended: lost, it connects again by itself. A wake-up that was lost
 * meanwhile is made up for by the one after each new connection.
 */
import { Socket } from "node:net";
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
  let current = await connect(url, channel, wake, ended.signal);
  wake();

  const supervision = (async () => {
    for (;;) {
      const loss = await lost(current.client, ended.signal);
      await current.close();
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

interface Connection {
  readonly client: pg.Client;
  /** Waits for nothing that the server would have to do: it may be gone, or frozen. */
  close(): Promise<void>;
}

async function connect(
  url: string,
  channel: string,
  wake: () => void,
  ended: AbortSignal,
): Promise<Connection> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: url,
    stream: () => socket,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
  });
  // A client without a listener for errors would end the process; whoever waits for it is told all the same.
  client.on("error", () => undefined);
  client.on("notification", () => wake());
  const close = async () => {
    const closed = client.end().catch(() => undefined);
    socket.destroySoon();
    await closed;
  };
  const giveUp = () => socket.destroy();
  ended.addEventListener("abort", giveUp);
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    return { client, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    ended.removeEventListener("abort", giveUp);
  }
}

/** Tries until it succeeds, or until it is ended. */
async function reconnect(
  url: string,
  channel: string,
  wake: () => void,
  onError: (error: unknown) => void,
  ended: AbortSignal,
): Promise<Connection | undefined> {
  for (let ceiling = firstPauseMs; !ended.aborted; ceiling = Math.min(ceiling * 2, longestPauseMs)) {
    await pause(ceiling * (0.5 + Math.random() / 2), undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) break;
    try {
      return await connect(url, channel, wake, ended);
    } catch (error) {
      if (!ended.aborted) onError(error);
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
