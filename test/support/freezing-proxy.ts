/** A proxy before a server that can fall silent: connections stay open, and nothing passes any more. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface FreezingProxy {
  readonly port: number;
  freeze(): void;
  /** Ends the connections that are open, and resolves once a client has come back. */
  dropUntilReconnected(): Promise<void>;
  close(): void;
}

export async function startFreezingProxy(port: number, host: string): Promise<FreezingProxy> {
  const open = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((client) => {
    const upstream = connect(port, host);
    pass(client, upstream);
    pass(upstream, client);
  });
  function pass(from: Socket, to: Socket): void {
    open.add(from);
    if (!isFrozen) from.on("data", (chunk) => to.write(chunk));
    from.on("error", () => undefined);
    from.on("close", () => {
      open.delete(from);
      to.destroy();
    });
  }
  const drop = () => {
    for (const socket of open) socket.destroy();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      isFrozen = true;
      for (const socket of open) socket.pause();
    },
    dropUntilReconnected: async () => {
      const reconnected = once(server, "connection");
      drop();
      await reconnected;
    },
    close: () => {
      server.close();
      drop();
    },
  };
}
