import type { IncomingMessage } from "node:http";
import { checkOptions, given, type OptionRules, optionalCount, optionalFlag } from "@signalbox/core/adapter";

const MIB = 1024 * 1024;

export interface WsAgentsOptions {
  /** Most bytes of one message of a joined server; longer ones close the socket with code 1009. Default 64 MiB. */
  readonly maxPayload?: number;
  /** Most bytes that a socket may send before it has joined. Default 1 MiB. */
  readonly maxHelloBytes?: number;
  /** Most bytes of all sockets together that have not joined; beyond it, the largest one is closed. Default 64 MiB. */
  readonly maxPendingBytes?: number;
  /** Most open sockets; further ones are answered 503. Default 20000. */
  readonly maxSockets?: number;
  /** Most open sockets that have not joined. Default 12000: a whole fleet may reconnect at once. */
  readonly maxPending?: number;
  /** Most open sockets per address that have not joined. Default 6000: a fleet may be behind one address. */
  readonly maxPendingPerAddress?: number;
  /** Most messages of one socket per second; further ones stay unread until the next second. Default 1000. */
  readonly maxMessagesPerSecond?: number;
  /** Most bytes of messages of one socket per second, on average. Default 16 MiB. */
  readonly maxBytesPerSecond?: number;
  /** Consecutive seconds at `maxMessagesPerSecond` after which a socket is closed with code 1008. Default 30. */
  readonly maxBusySeconds?: number;
  /**
   * Most waiting messages of one socket; beyond it, the socket is not read. From half of it on, quick samples are
   * dropped. Default 256.
   */
  readonly maxQueued?: number;
  /** Most waiting bytes of all sockets together; beyond it, sockets that add to them are not read. Default 256 MiB. */
  readonly maxQueuedBytes?: number;
  /** Most bytes that wait to be sent to one socket; beyond it, the socket is destroyed. Default 64 MiB. */
  readonly maxBuffered?: number;
  /**
   * Accepts permessage-deflate when the agent offers it. Default false: it costs up to 300 KB of memory per socket, and
   * more processor time than the network saves, as most messages are small.
   */
  readonly compression?: boolean;
  /**
   * Returns the address of the agent. Default: the socket's. Behind a proxy use `behindProxies` of
   * `@signalbox/http-hono`.
   */
  readonly clientAddress?: (request: IncomingMessage) => string;
  /** Returns whether the agent's tokens are encrypted in transit. Default: true for TLS sockets. */
  readonly isSecure?: (request: IncomingMessage) => boolean;
}

export type Limits = Required<Omit<WsAgentsOptions, "clientAddress" | "isSecure" | "compression">>;

const DEFAULTS: Limits = {
  maxPayload: 64 * MIB,
  maxHelloBytes: MIB,
  maxPendingBytes: 64 * MIB,
  maxSockets: 20_000,
  maxPending: 12_000,
  maxPendingPerAddress: 6000,
  maxMessagesPerSecond: 1000,
  maxBytesPerSecond: 16 * MIB,
  maxBusySeconds: 30,
  maxQueued: 256,
  maxQueuedBytes: 256 * MIB,
  maxBuffered: 64 * MIB,
};

const names = Object.keys(DEFAULTS) as (keyof Limits)[];

const RULES = {
  ...Object.fromEntries(names.map((name) => [name, optionalCount])),
  compression: optionalFlag,
  clientAddress: given,
  isSecure: given,
} as OptionRules<WsAgentsOptions>;

/**
 * The bounds, with defaults filled in. Throws `TypeError` for one that is not a positive whole number, and for an
 * unknown option.
 */
export function limitsOf(options: WsAgentsOptions): Limits {
  checkOptions("wsAgents", options, RULES);
  return Object.fromEntries(names.map((name) => [name, options[name] ?? DEFAULTS[name]])) as unknown as Limits;
}
