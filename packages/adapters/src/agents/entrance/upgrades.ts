import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** The members needed of servers from `node:http` and `node:https`, and of servers that adapters build on them. */
export interface UpgradeServer {
  on(event: "upgrade", listener: UpgradeListener): unknown;
  on(event: "connection", listener: () => void): unknown;
  off(event: "upgrade", listener: UpgradeListener): unknown;
  off(event: "connection", listener: () => void): unknown;
  listenerCount(event: string): number;
}

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const ANY_PATH = "*";

type ShouldUpgrade = (request: IncomingMessage) => boolean;
/** From Node 24.9 on, a server may ignore the upgrade and answer a request as a plain one. */
interface Choosing {
  shouldUpgradeCallback?: ShouldUpgrade;
}

/**
 * Passes WebSocket requests for one path, or for all paths (`*`), to `take`. While no other listener handles upgrades
 * of this server, requests for other paths or protocols are handled as before: as plain requests where Node can do
 * that, otherwise with 404.
 * Disposing removes the listeners.
 */
export function attachUpgrades(server: UpgradeServer, path: string, take: UpgradeListener): Disposable {
  const isOurs = (request: IncomingMessage): boolean =>
    (path === ANY_PATH || pathOf(request) === path) && request.headers.upgrade?.toLowerCase() === "websocket";
  const isAlone = (): boolean => server.listenerCount("upgrade") === 1;
  const listener: UpgradeListener = (request, socket, head) => {
    if (isOurs(request)) take(request, socket, head);
    else if (isAlone()) refuseUpgrade(socket, "404 Not Found");
  };
  server.on("upgrade", listener);
  const restore = choose(
    server as Choosing,
    (before) => (request) => isOurs(request) || (!isAlone() && before(request)),
  );
  return {
    [Symbol.dispose]() {
      server.off("upgrade", listener);
      restore();
    },
  };
}

function choose(server: Choosing, make: (before: ShouldUpgrade) => ShouldUpgrade): () => void {
  const before = server.shouldUpgradeCallback;
  if (!before) return () => undefined;
  const ours = make((request) => before.call(server, request));
  server.shouldUpgradeCallback = ours;
  return () => {
    if (server.shouldUpgradeCallback === ours) server.shouldUpgradeCallback = before;
  };
}

function pathOf({ url = "/" }: IncomingMessage): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}

/** Answers with a status and closes. The sentence is for people who look; agents reconnect after their delay. */
export function refuseUpgrade(socket: Duplex, status: string, sentence = ""): void {
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(sentence)}\r\n\r\n${sentence}`,
  );
}
