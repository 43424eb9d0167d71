import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy to the server that can drop connections silently, as a router does. */
export interface SilentProxy extends AsyncDisposable {
  /** The address of the database through the proxy. */
  readonly connectionString: string;
  /** Forwards nothing more on the current connections, in either direction, without telling either side. */
  forget(): void;
  /** While true, does the same to new connections. */
  isDeaf: boolean;
}

interface Way {
  readonly sockets: readonly Socket[];
  isForgotten: boolean;
}

export async function startSilentProxy(connectionString: string): Promise<SilentProxy> {
  const server = new URL(connectionString);
  const ways = new Set<Way>();
  const proxy = createServer((client) => {
    const there = connect(Number(server.port), server.hostname);
    const way: Way = { sockets: [client, there], isForgotten: own.isDeaf };
    ways.add(way);
    pass(way, client, there);
    pass(way, there, client);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = new URL(connectionString);
  address.port = String((proxy.address() as AddressInfo).port);
  const own: SilentProxy = {
    connectionString: address.href,
    isDeaf: false,
    forget() {
      for (const way of ways) way.isForgotten = true;
    },
    async [Symbol.asyncDispose]() {
      proxy.close();
      for (const { sockets } of ways) for (const socket of sockets) socket.destroy();
    },
  };
  return own;
}

function pass(way: Way, from: Socket, to: Socket): void {
  from.on("data", (data) => way.isForgotten || to.write(data));
  // The close that follows tells the other side.
  from.on("error", () => undefined);
  from.on("close", () => way.isForgotten || to.destroy());
}
