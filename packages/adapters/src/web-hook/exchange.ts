import type { IncomingMessage, RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { type SecureContextOptions, TLSSocket } from "node:tls";
import type { Clock } from "@signalbox/core/adapter";
import { nodeHttp } from "../node-http.ts";
import { type AddressPolicy, judgeAddress, refused } from "./address-policy.ts";
import { type Address, addressesOf, hostnameOf, type ResolveHost } from "./addresses.ts";
import { readBody } from "./response-body.ts";

/** One request to one URL, redirects not followed. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Milliseconds from the connection to the first byte of the answer. */
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Bytes of the body that are kept; the rest is not read. */
  readonly maxBodyBytes: number;
  readonly skipCertificateCheck: boolean;
}

export interface ExchangeContext {
  readonly clock: Clock;
  readonly resolve: ResolveHost;
  readonly policy: AddressPolicy;
  readonly tls: Pick<SecureContextOptions, "ca" | "minVersion">;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Unix seconds. */
  readonly certificateEnds?: number;
}

/** Rejects with a message that contains only the host, because path, query and headers may contain credentials. */
export async function exchange(call: Exchange, context: ExchangeContext): Promise<Answer> {
  const watch = watchdog(context);
  try {
    watch.expect(context.connectTimeoutMs, `No connection to ${call.url.host} within ${context.connectTimeoutMs} ms`);
    const addresses = await watch.race(addressesOf(call.url, context.resolve));
    if (addresses.length === 0) throw new Error(`Host has no address: ${call.url.host}`);
    for (const address of addresses) requireAllowed(address, call.url, context.policy);
    const expect = (ms: number) => watch.expect(ms, `No data from ${call.url.host} within ${ms} ms`);
    const onConnect = () => expect(call.firstByteTimeoutMs);
    const onBytes = () => expect(call.idleTimeoutMs);
    const response = await send(call, { addresses, tls: context.tls, signal: watch.signal, onConnect });
    onBytes();
    const ends = certificateEnds(response);
    const body = await readBody(response, { maxBytes: call.maxBodyBytes, onBytes });
    return {
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? "",
      headers: flatten(response),
      body,
      ...(ends === undefined ? {} : { certificateEnds: ends }),
    };
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : explain(error, call.url);
  } finally {
    watch.stop();
  }
}

/** One forbidden address suffices to refuse, because it is unknown which of several would be connected to. */
function requireAllowed(address: Address, url: URL, policy: AddressPolicy): void {
  const refusal = judgeAddress(address, policy, hostnameOf(url));
  if (refusal !== undefined) throw refused(address, url.host, refusal);
}

/** Enforces one deadline at a time, each replacing the previous one, together with the caller's signal. */
function watchdog({ clock, signal: outer }: ExchangeContext) {
  const controller = new AbortController();
  let timer: Disposable | undefined;
  const forward = () => controller.abort(outer.reason);
  if (outer.aborted) forward();
  outer.addEventListener("abort", forward, { once: true });
  return {
    signal: controller.signal,
    expect(delayMs: number, failure: string) {
      timer?.[Symbol.dispose]();
      timer = clock.after(delayMs, () => controller.abort(new Error(failure)));
    },
    /** Races work that does not accept a signal against the end of the exchange. */
    race<T>(work: Promise<T>): Promise<T> {
      const { promise, reject } = Promise.withResolvers<never>();
      const stop = () => reject(controller.signal.reason);
      if (controller.signal.aborted) stop();
      controller.signal.addEventListener("abort", stop, { once: true });
      return Promise.race([work, promise]);
    },
    stop() {
      timer?.[Symbol.dispose]();
      outer.removeEventListener("abort", forward);
    },
  };
}

interface Wire {
  readonly addresses: readonly Address[];
  readonly tls: ExchangeContext["tls"];
  readonly signal: AbortSignal;
  readonly onConnect: () => void;
}

function send(call: Exchange, { addresses, tls, signal, onConnect }: Wire): Promise<IncomingMessage> {
  const secure = call.url.protocol === "https:";
  const options: RequestOptions & SecureContextOptions & { rejectUnauthorized: boolean } = {
    ...tls,
    method: call.method,
    headers: call.headers,
    lookup: pinned(addresses),
    // No connection is reused, because it might have been opened under a different policy.
    agent: false,
    signal,
    rejectUnauthorized: !call.skipCertificateCheck,
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = secure ? requestHttps(call.url, options, resolve) : nodeHttp.request(call.url, options, resolve);
  request.on("error", reject);
  request.on("socket", (socket) => socket.once(secure ? "secureConnect" : "connect", onConnect));
  request.end(call.body);
  return promise;
}

/** A lookup function that returns only addresses that have been checked. */
export function pinned(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]?.address ?? "", addresses[0]?.family ?? 4);
  };
}

/** Expiry of the server's certificate in Unix seconds, read while the connection is open. */
function certificateEnds({ socket }: IncomingMessage): number | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const ends = Date.parse(socket.getPeerCertificate().valid_to);
  return Number.isNaN(ends) ? undefined : ends / 1000;
}

function flatten(response: IncomingMessage): Record<string, string> {
  const entries = Object.entries(response.headersDistinct).map(([name, values = []]) => [name, values.join(", ")]);
  return Object.fromEntries(entries);
}

function explain(error: unknown, url: URL): Error {
  if (!(error instanceof Error)) return new Error(`Request to ${url.host} failed`, { cause: error });
  const { code } = error as NodeJS.ErrnoException;
  return code ? new Error(`Request to ${url.host} failed: ${code}`, { cause: error }) : error;
}
