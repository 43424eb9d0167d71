/** Raw connections, for peers that break the rules of HTTP. */
import { connect, type Socket } from "node:net";

export interface Peer {
  readonly socket: Socket;
  /** Text received and read so far. */
  heard(): string;
  /** Resolves to true when the other side ended or broke the connection; to false when it did not in time. */
  gone(withinMs: number): Promise<boolean>;
}

const MAX_HEARD = 100_000;

/** `deaf` peers never read. A broken connection counts as an answer here, never as an error. */
export function openPeer(port: number, options: { readonly deaf?: boolean } = {}): Promise<Peer> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let heard = "";
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    socket.once("end", () => {
      socket.destroy();
      resolve();
    });
  });
  if (options.deaf) socket.pause();
  else
    socket.on("data", (chunk) => {
      heard = (heard + chunk.toString("latin1")).slice(-MAX_HEARD);
    });
  const peer: Peer = {
    socket,
    heard: () => heard,
    async gone(withinMs) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => resolve(false), withinMs);
      await Promise.race([closed.then(() => resolve(true)), promise]);
      clearTimeout(timer);
      return promise;
    },
  };
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(peer));
    socket.once("error", () => resolve(peer));
    socket.on("error", () => undefined);
  });
}

/** Opens `count` peers, runs `work` with them, and closes them all at the end. */
export async function withPeers<R>(
  port: number,
  count: number,
  options: { readonly deaf?: boolean },
  work: (peers: readonly Peer[]) => Promise<R>,
): Promise<R> {
  const peers = await Promise.all(Array.from({ length: count }, () => openPeer(port, options)));
  try {
    return await work(peers);
  } finally {
    for (const { socket } of peers) socket.destroy();
  }
}
