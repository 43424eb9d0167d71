import type { IncomingMessage } from "node:http";
import { checkOptions, given, type OptionRules, optionalCount, optionalFlag } from "@signalbox/core/adapter";

const MIB = 1024 * 1024;

export interface WsAgentsOptions {
  /** Bytes of one message of a server that has joined; longer ones close the socket with code 1009. Default 64 MiB. */
  readonly maxPayload?: number;
  /** Bytes that a socket may send before it has joined. Default 1 MiB. */
  readonly maxHelloBytes?: number;
  /** Bytes of all sockets that have not joined, together; beyond, the largest of them is closed. Default 64 MiB. */
  readonly maxPendingBytes?: number;
  /** Open sockets; further ones are answered 503. Default 20000. */
  readonly maxSockets?: number;
  /** Open sockets that have not joined. Default 12000: a whole fleet may come back at once. */
  readonly maxPending?: number;
  /** Open sockets of one address that have not joined. Default 6000: a fleet may be behind one address. */
  readonly maxPendingPerAddress?: number;
  /** Messages of one socket in a second; more wait, unread, for the next second. Default 1000. */
  readonly maxMessagesPerSecond?: number;
  /** Bytes of messages of one socket in a second, on average. Default 16 MiB. */
  readonly maxBytesPerSecond?: number;
  /** Seconds in a row over `maxMessagesPerSecond` that close a socket with code 1008. Default 30. */
  readonly maxBusySeconds?: number;
  /** Waiting messages of one socket; beyond, it is not read. From half of it on, quick samples drop. Default 256. */
  readonly maxQueued?: number;
  /** Waiting bytes of all sockets together; beyond, sockets that add to them are not read. Default 256 MiB. */
  readonly maxQueuedBytes?: number;
  /** Bytes that wait to be sent to one socket; beyond it the socket is destroyed. Default 64 MiB. */
  readonly maxBuffered?: number;
  /**
   * Accepts permessage-deflate when the agent offers it. Default false: it costs up to 300 KB of memory for each socket
   * and more processor time than the network saves, as most messages are small.
   */
  readonly compression?: boolean;
  /** Address of the agent. Default: the socket's. Behind a proxy take `behindProxies` of `@signalbox/http-hono`. */
  readonly clientAddress?: (request: IncomingMessage) => string;
  /** Whether the agent's tokens are encrypted on their way. Default: true for sockets of TLS. */
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
 * Bounds with their defaults. Throws `TypeError` for one that is no positive whole number, and for an unknown option.
 */
export function limitsOf(options: WsAgentsOptions): Limits {
  checkOptions("wsAgents", options, RULES);
  return Object.fromEntries(names.map((name) => [name, options[name] ?? DEFAULTS[name]])) as unknown as Limits;
}
