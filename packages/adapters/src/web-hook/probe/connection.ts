import { isIP, connect as open, type Socket } from "node:net";
import { type Clock, type ProbeAnswer, unlessAborted } from "@signalbox/core/adapter";
import { type AddressPolicy, judgeAddress, refused } from "../address-policy.ts";
import type { Address, ResolveHost } from "../addresses.ts";
import { type ExchangeContext, pinned } from "../exchange.ts";

/** What a probe found, before its time is known. */
export type Found = Omit<ProbeAnswer, "elapsedMs">;

export interface ProbeContext {
  readonly clock: Clock;
  readonly resolve: ResolveHost;
  readonly tls: ExchangeContext["tls"];
  readonly policy: AddressPolicy;
  readonly signal: AbortSignal;
}

/**
 * The addresses of a host, all of which are allowed. Throws `TypeError` if one is not. Rejects when the signal aborts, although
 * resolvers accept no signal and wait for silent name servers as long as the machine's settings say.
 */
export async function allowedAddresses(
  host: string,
  { resolve, policy, signal }: Pick<ProbeContext, "resolve" | "policy" | "signal">,
): Promise<readonly Address[]> {
  const family = isIP(host);
  const addresses = family === 0 ? await unlessAborted(resolve(host), signal) : [{ address: host, family }];
  if (addresses.length === 0) throw new Error(`Host has no address: ${host}`);
  for (const address of addresses) {
    const refusal = judgeAddress(address, policy, host);
    if (refusal !== undefined) throw refused(address, host, refusal);
  }
  return addresses;
}

/** Opens a connection, which the signal of the probe ends; apart from that, its owner must destroy it. */
export async function connect(host: string, port: number, context: ProbeContext): Promise<Socket> {
  const { signal } = context;
  const addresses = await allowedAddresses(host, context);
  const socket = open({ host, port, lookup: pinned(addresses) });
  endWith(socket, signal);
  await heard(socket, "connect");
  return socket;
}

function endWith(socket: Socket, signal: AbortSignal): void {
  const abort = (): void => void socket.destroy(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", abort));
}

/** Waits for an event of a connection. Rejects with the connection's error, or if it closes before. */
export function heard(socket: Socket, event: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = (): void => reject(new Error("The connection was closed"));
  socket.once("error", reject).once("close", onClose);
  socket.once(event, () => {
    socket.off("error", reject).off("close", onClose);
    // Between two waits an error needs a listener, or it would be uncaught; the next wait finds the closed socket.
    socket.on("error", () => undefined);
    resolve();
  });
  return promise;
}

/** Most bytes that are read. */
const MAX_HEARD = 4096;

/** Reads text from the peer until it is enough, the connection ends, or 4 KB have arrived. */
export function listen(socket: Socket, isEnough: (text: string) => boolean): Promise<string> {
  if (socket.destroyed) return Promise.reject(socket.errored ?? new Error("The connection was closed"));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  const text = (): string => Buffer.concat(chunks).toString("utf8", 0, MAX_HEARD);
  const done = (): void => {
    // Keeps later text for the next listener.
    socket.pause();
    socket.off("data", onData).off("end", done).off("close", done).off("error", reject);
    resolve(text());
  };
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    const held = chunks.reduce((sum, { length }) => sum + length, 0);
    if (held >= MAX_HEARD || isEnough(text())) done();
  };
  socket.on("data", onData).once("end", done).once("close", done).once("error", reject);
  // The previous listener paused the socket.
  socket.resume();
  return promise;
}
