import { sha256Hex } from "../lib/secrecy/hash.ts";
import type { AgentMessage } from "../ports/agents/agent-transport.ts";

/** Proof of a satellite: a secret key from which token A or token B is computed, or a token to send unchanged. */
export type SatelliteProof =
  | { readonly clusterKey: string }
  | { readonly serverKey: string }
  | { readonly token: string };

/** Options of a socket satellite: its node and its identity. */
export interface SatelliteOptions {
  /** `ws://` or `wss://` address of the node, with the root path. */
  readonly url: string;
  readonly hostname: string;
  /** Absent or empty = the node assigns one. */
  readonly id?: string;
  readonly info?: Readonly<Record<string, unknown>>;
  /** Bootstrap members of the hello message: title, groups … */
  readonly initial?: Readonly<Record<string, unknown>>;
  readonly join: SatelliteProof;
  /** Default true. */
  readonly answersEcho?: boolean;
  /** Headers of the request that opens the connection, such as a proxy adds. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A satellite on a real WebSocket that sends the messages of a test. */
export interface SocketSatellite {
  /** Server id, once the node has sent it. */
  readonly id: string;
  /** Messages of the node, in order. */
  readonly received: readonly AgentMessage[];
  readonly isOpen: boolean;
  send(cmd: string, data: unknown): void;
  /** Sends a frame unchanged. */
  sendRaw(frame: string | Uint8Array<ArrayBuffer>): void;
  /** The first message of a kind, whether already received or still to come; rejects if the connection ends before it. */
  message(cmd: string): Promise<AgentMessage>;
  /** The next message of a kind from now on; rejects if the connection ends before it. */
  next(cmd: string): Promise<AgentMessage>;
  /** Resolves when the connection has ended, with the node's close frame. */
  readonly closed: Promise<SatelliteEnd>;
  close(): void;
}

/** How a socket ended: code and reason of WebSocket. */
export interface SatelliteEnd {
  readonly code: number;
  readonly reason: string;
}

interface Waiter {
  readonly cmd: string;
  readonly resolve: (message: AgentMessage) => void;
  readonly reject: (error: Error) => void;
}

/** Opens a connection without sending anything. Rejects when it is refused. */
export async function openSatellite(
  url: string,
  { answersEcho = true, headers = {} }: Pick<SatelliteOptions, "answersEcho" | "headers"> = {},
): Promise<SocketSatellite> {
  const socket = new WebSocket(url, { headers });
  const received: AgentMessage[] = [];
  const waiters = new Set<Waiter>();
  let id = "";
  let ended: SatelliteEnd | undefined;
  const { promise: closed, resolve: close } = Promise.withResolvers<SatelliteEnd>();
  const endText = ({ code, reason }: SatelliteEnd): string => `The connection has ended: ${code} ${reason}`.trim();

  const wait = (cmd: string): Promise<AgentMessage> => {
    if (ended) return Promise.reject(new Error(endText(ended)));
    return new Promise((resolve, reject) => waiters.add({ cmd, resolve, reject }));
  };
  const take = (message: AgentMessage): void => {
    received.push(message);
    const { cmd, data } = message;
    if (cmd === "hello") ({ id } = data as { id: string });
    if (cmd === "echo" && answersEcho) send("echoback", data);
    for (const waiter of [...waiters])
      if (waiter.cmd === cmd) {
        waiters.delete(waiter);
        waiter.resolve(message);
      }
  };
  const send = (cmd: string, data: unknown): void => socket.send(JSON.stringify({ cmd, data }));
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error(`The connection was refused: ${url}`)));
  });
  socket.addEventListener("message", ({ data }) => take(JSON.parse(String(data)) as AgentMessage));
  socket.addEventListener("close", ({ code, reason }) => {
    ended = { code, reason };
    for (const waiter of waiters) waiter.reject(new Error(endText(ended)));
    waiters.clear();
    close(ended);
  });
  await opened;
  return {
    received,
    closed,
    send,
    get id() {
      return id;
    },
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    sendRaw: (frame) => socket.send(frame),
    message(cmd) {
      const known = received.find((message) => message.cmd === cmd);
      return known ? Promise.resolve(known) : wait(cmd);
    },
    next: wait,
    close: () => socket.close(),
  };
}

/**
 * A satellite for tests that speaks the agent protocol over a real WebSocket: says hello, joins, answers echoes. Resolves with
 * the node's welcome; rejects when the node refuses or closes the connection.
 */
export async function socketSatellite(options: SatelliteOptions): Promise<SocketSatellite> {
  const { url, hostname, id = "", info = {}, initial = {}, join } = options;
  const satellite = await openSatellite(url, options);
  satellite.send("hello", { ...initial, hostname, id, info });
  const { data } = await satellite.message("hello");
  satellite.send("join", { token: joinToken(join, data as { nonce: string; id: string }) });
  await satellite.message("joined");
  return satellite;
}

/** Token of `join`: sha256hex of nonce and key, sha256hex of id and key, or the given token. */
export function joinToken(
  proof: SatelliteProof,
  { nonce, id }: { readonly nonce: string; readonly id: string },
): string {
  if ("token" in proof) return proof.token;
  return "clusterKey" in proof ? sha256Hex(nonce + proof.clusterKey) : sha256Hex(id + proof.serverKey);
}
