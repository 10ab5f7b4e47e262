/** A proxy that drops connections on which nothing was sent for a while, as those in front of servers do. */
import { connect, createServer, type Socket } from "node:net";

export interface IdleProxy {
  readonly port: number;
  /** How many connections it has dropped for idleness. */
  dropped(): number;
  close(): Promise<void>;
}

export async function startIdleProxy(target: number, idleMs: number): Promise<IdleProxy> {
  const open = new Set<Socket>();
  let dropped = 0;
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    const pair = [client, upstream];
    let heardAt = Date.now();
    const check = setInterval(() => {
      if (Date.now() - heardAt < idleMs) return;
      // Where the process was held up, what has come meanwhile counts.
      const silentSince = heardAt;
      setImmediate(() => {
        if (heardAt !== silentSince) return;
        dropped += 1;
        end();
      });
    }, idleMs / 4);
    const end = () => {
      clearInterval(check);
      for (const socket of pair) {
        open.delete(socket);
        socket.destroy();
      }
    };
    for (const [from, to] of [pair, [...pair].reverse()] as [Socket, Socket][]) {
      open.add(from);
      from.on("data", (chunk) => {
        heardAt = Date.now();
        to.write(chunk);
      });
      from.on("error", end);
      from.on("close", end);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    port: address.port,
    dropped: () => dropped,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
