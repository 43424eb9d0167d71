import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHttp } from "../../node-http.ts";
import { createEntrance } from "./entrance.ts";
import type { Arrivals } from "./slices.ts";
import { attachUpgrades, type UpgradeListener } from "./upgrades.ts";

export interface ListenOptions {
  /** 0 = any free port. */
  readonly port: number;
  /** Default: all addresses of the machine. */
  readonly host?: string;
  /** Path of the WebSocket. Default `/`, the only one that satellites know; `*` = any. */
  readonly path?: string;
  /** Answers HTTP requests of satellites: a listener as for `createServer` of `node:http`. Default: 426. */
  readonly requests?: RequestListener;
  /** Milliseconds for the head of a request; slower clients are cut off. Default 20000. */
  readonly headTimeoutMs?: number;
}

export interface Listener extends Disposable {
  readonly address: AddressInfo;
}

/** The sum stays below the 30 seconds that a satellite has to join. */
const HEAD_MS = 20_000;
const CHECK_MS = 5000;
/**
 * Large enough for a whole fleet that reconnects at once: a connection beyond the system's queue waits a second or
 * more.
 */
const BACKLOG = 4096;

interface Tools {
  readonly take: UpgradeListener;
  readonly arrivals: Arrivals;
  /** Called when a connection could not be accepted; the port stays open. */
  readonly onFault: (error: Error) => void;
}

export async function openListener(options: ListenOptions, { take, arrivals, onFault }: Tools): Promise<Listener> {
  const { port, host, path = "/", requests = onlyUpgrades, headTimeoutMs = HEAD_MS } = options;
  const server = nodeHttp.createServer(
    { headersTimeout: headTimeoutMs, connectionsCheckingInterval: Math.min(CHECK_MS, headTimeoutMs), noDelay: true },
    requests,
  );
  const attached = attachUpgrades(server, path, take);
  const entrance = createEntrance(server, arrivals);
  await new Promise<void>((resolve, reject) => {
    entrance.once("error", reject);
    entrance.listen({ port, host, backlog: BACKLOG }, () => {
      entrance.off("error", reject);
      entrance.on("error", onFault);
      resolve();
    });
  });
  return {
    address: entrance.address() as AddressInfo,
    [Symbol.dispose]() {
      attached[Symbol.dispose]();
      entrance.close();
      server.closeAllConnections();
    },
  };
}

const onlyUpgrades: RequestListener = (_request, response) => {
  response.writeHead(426, { "Content-Type": "text/plain", Connection: "close" });
  response.end("This port is for satellites.\n");
};
