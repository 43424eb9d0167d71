import type { HostEnv } from "../options.ts";
import type { CallRequest } from "./call-request.ts";

/** A request as Node has parsed it. */
export interface NodeMessage {
  readonly headers: Record<string, unknown>;
  readonly socket?: NodeSocket;
  /** Bytes that have come and were not taken. */
  readonly readableLength: number;
  /** Null = reading has not begun. */
  readonly readableFlowing: boolean | null;
  readonly readableDidRead: boolean;
  /** The body, where `@hono/node-server` is to take it instead of reading. */
  readonly rawBody?: unknown;
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
  /** Ends the connection where the body has not come whole. */
  destroy(): unknown;
}

interface NodeSocket {
  readonly bytesRead?: number;
  readonly remoteAddress?: string;
  readonly encrypted?: boolean;
  resetAndDestroy?(): unknown;
  destroy?(): unknown;
}

/** Objects that `@hono/node-server` hands over beside the request, as far as they are used. */
interface NodeEnv {
  readonly incoming?: Partial<NodeMessage>;
  readonly outgoing?: {
    readonly socket?: NodeSocket | null;
    /** Its end has been told: no listener hears of it any more. */
    readonly closed?: boolean;
    destroy?(): unknown;
    once?(event: "close", listener: () => void): unknown;
    setTimeout?(ms: number, callback: () => void): unknown;
  };
}

export const nodeOf = (env: HostEnv): NodeEnv => (env as NodeEnv | undefined) ?? {};

/** Objects of other servers that tell the caller's address. */
interface OtherEnv {
  /** The server of Bun, by itself or as Hono hands it over. */
  readonly server?: OtherEnv;
  requestIP?(request: CallRequest): { readonly address: string } | null;
  /** Address in Deno. */
  readonly remoteAddr?: { readonly hostname?: string };
  /** Address in a server that names it plainly. */
  readonly remoteAddress?: string;
}

/** Address of the socket, as the servers of Node, Bun and Deno hand it over. */
export function socketAddress(env: HostEnv, request: CallRequest): string | undefined {
  const node = nodeOf(env).incoming?.socket;
  if (node) return node.remoteAddress;
  const other = (env as OtherEnv | undefined) ?? {};
  const bun = typeof other.requestIP === "function" ? other : other.server;
  if (typeof bun?.requestIP === "function") return bun.requestIP(request)?.address;
  return other.remoteAddress ?? other.remoteAddr?.hostname;
}

/**
 * Closes the connection in the middle of an answer; false when the host's server does not let us. `@hono/node-server`
 * prints every error of a body to the host's console, so the connection is closed under it instead.
 */
export function closeConnection(env: HostEnv): boolean {
  const { outgoing } = nodeOf(env);
  if (typeof outgoing?.destroy !== "function") return false;
  outgoing.destroy();
  return true;
}

/**
 * The same for a caller who does not read: the connection is reset, because for a closed one the system would go on
 * offering its buffers, megabytes for minutes. A connection with TLS is closed without that.
 */
export function resetConnection(env: HostEnv): boolean {
  const socket = nodeOf(env).outgoing?.socket;
  if (typeof socket?.resetAndDestroy !== "function" || socket.encrypted) return closeConnection(env);
  socket.resetAndDestroy();
  return true;
}

/** Resets the connection when nothing of the answer has left for so long; the next request of the connection starts anew. */
export function limitSilence(env: HostEnv, ms: number): void {
  nodeOf(env).outgoing?.setTimeout?.(ms, () => resetConnection(env));
}
