import type { Duplex } from "node:stream";
import type { ChannelSocket } from "@signalbox/core/adapter";
import type { WebSocket } from "ws";

/** Most bytes of one message of a page. */
export const MAX_CHANNEL_MESSAGE = 64 * 1024;
/** A page only reports where it is, and answers an echo every few seconds. */
export const CHANNEL_RATE = { maxMessagesPerSecond: 50, maxBytesPerSecond: 256 * 1024, maxBusySeconds: 10 };
/** Most bytes of an unfinished message: one message, and the socket's chunk (64 KiB) in which it ends. */
const MAX_UNFINISHED = MAX_CHANNEL_MESSAGE + 128 * 1024;

interface Ends extends Pick<ChannelSocket, "id" | "ip" | "sessionId" | "close" | "terminate"> {
  readonly ws: WebSocket;
  /** The stream that `ws` reads. */
  readonly socket: Duplex;
  /** Called once the caller is known. */
  readonly accepted: () => void;
  /** Called when the client sends a message over the bound. */
  readonly refuseLarge: () => void;
}

/** The socket of a page, as the core sees it. */
export function channelSocket({ ws, socket, accepted, refuseLarge, ...ends }: Ends): ChannelSocket {
  return {
    ...ends,
    accept() {
      if (ws.readyState !== ws.OPEN) return;
      accepted();
      watchUnfinished(ws, socket, refuseLarge);
    },
    send: (text) =>
      new Promise((resolve) => {
        if (ws.readyState === ws.OPEN) ws.send(text, { binary: false }, (error) => resolve(!error));
        else resolve(false);
      }),
  };
}

/** `ws` itself gathers messages up to the length that an agent may send, a thousand times what a page may send. */
function watchUnfinished(ws: WebSocket, socket: Duplex, refuseLarge: () => void): void {
  let bytes = 0;
  ws.on("message", () => {
    bytes = 0;
  });
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_UNFINISHED) refuseLarge();
  });
}
