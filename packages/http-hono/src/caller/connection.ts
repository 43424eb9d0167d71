import type { HostEnv } from "../options.ts";
import type { CallRequest } from "./call-request.ts";

/** A request as Node has parsed it. */
export interface NodeMessage {
  readonly headers: Record<string, unknown>;
  readonly socket?: NodeSocket;
  /** Bytes that have arrived but were not consumed. */
  readonly readableLength: number;
  /** Null = reading has not started. */
  readonly readableFlowing: boolean | null;
  readonly readableDidRead: boolean;
  /** The body, if `@hono/node-server` is to use it instead of reading. */
  readonly rawBody?: unknown;
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
  /** Closes the connection unless the whole body has arrived. */
  destroy(): unknown;
}

interface NodeSocket {
  readonly bytesRead?: number;
  readonly remoteAddress?: string;
  readonly encrypted?: boolean;
  resetAndDestroy?(): unknown;
  destroy?(): unknown;
}

/** The objects that `@hono/node-server` passes along with the request, as far as they are used. */
interface NodeEnv {
  readonly incoming?: Partial<NodeMessage>;
  readonly outgoing?: {
    readonly socket?: NodeSocket | null;
    /** The `close` event has already been emitted, so later listeners never receive it. */
    readonly closed?: boolean;
    destroy?(): unknown;
    once?(event: "close", listener: () => void): unknown;
    setTimeout?(ms: number, callback: () => void): unknown;
  };
}

export const nodeOf = (env: HostEnv): NodeEnv => (env as NodeEnv | undefined) ?? {};

/** Objects of other servers that provide the caller's address. */
interface OtherEnv {
  /** The server of Bun, directly or as Hono passes it. */
  readonly server?: OtherEnv;
  requestIP?(request: CallRequest): { readonly address: string } | null;
  /** Address in Deno. */
  readonly remoteAddr?: { readonly hostname?: string };
  /** Address in a server that provides it directly. */
  readonly remoteAddress?: string;
}

/** Address of the socket, as the servers of Node, Bun and Deno provide it. */
export function socketAddress(env: HostEnv, request: CallRequest): string | undefined {
  const node = nodeOf(env).incoming?.socket;
  if (node) return node.remoteAddress;
  const other = (env as OtherEnv | undefined) ?? {};
  const bun = typeof other.requestIP === "function" ? other : other.server;
  if (typeof bun?.requestIP === "function") return bun.requestIP(request)?.address;
  return other.remoteAddress ?? other.remoteAddr?.hostname;
}

/**
 * Closes the connection in the middle of an answer; false when the host's server does not allow it. Closing is preferred to an
 * error in the body, because `@hono/node-server` prints every such error to the host's console.
 */
export function closeConnection(env: HostEnv): boolean {
  const { outgoing } = nodeOf(env);
  if (typeof outgoing?.destroy !== "function") return false;
  outgoing.destroy();
  return true;
}

/**
 * Like `closeConnection`, for a caller that does not read: resets the connection, because for a closed one the operating system
 * would keep its buffers, megabytes for minutes. A TLS connection is only closed.
 */
export function resetConnection(env: HostEnv): boolean {
  const socket = nodeOf(env).outgoing?.socket;
  if (typeof socket?.resetAndDestroy !== "function" || socket.encrypted) return closeConnection(env);
  socket.resetAndDestroy();
  return true;
}

/**
 * Resets the connection when no bytes of the answer have been sent for so long; the next request on the connection starts over.
 */
export function limitSilence(env: HostEnv, ms: number): void {
  nodeOf(env).outgoing?.setTimeout?.(ms, () => resetConnection(env));
}
