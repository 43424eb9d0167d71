import { validateHeaderName, validateHeaderValue } from "node:http";
import { type Clock, systemClock, type WebHookClient, type WebHookRequest } from "@signalbox/core";
import { isLinkLocal, type ResolveHost, resolveHost } from "./addresses.ts";
import { type Answer, type Exchange, type ExchangeContext, exchange } from "./exchange.ts";

export interface FetchWebHookClientOptions {
  /** Permits link-local and cloud metadata addresses. Default false. */
  readonly allowLinkLocal?: boolean;
  /** Further addresses to refuse (an air gap list); asked for each resolved address, after each redirect too. */
  readonly refuseAddress?: (address: string) => boolean;
  /** Sent unless the request brings its own. Default `Signalbox`. */
  readonly userAgent?: string;
  /** Time to resolve the name and connect, TLS included. Default 10000. */
  readonly connectTimeoutMs?: number;
  /** Default 32. */
  readonly maxRedirects?: number;
  readonly clock?: Clock;
  /** Default: the resolver of the operating system. */
  readonly resolve?: ResolveHost;
}

const REDIRECTS: readonly number[] = [301, 302, 307, 308];
/** Credentials for one origin are nobody else's business. */
const ORIGIN_BOUND = ["authorization", "cookie", "proxy-authorization", "host"];
/** Framing is ours: a wrong length or a second framing would let one request smuggle another. */
const FRAMING = ["content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer"];

/**
 * A client for web hooks on Node's own HTTP, with `http:` and `https:` alone.
 *
 * A name is resolved once and every address checked before it is connected to, after each redirect again: link-local and
 * metadata addresses are refused. Redirects 301, 302, 307, 308 repeat method, headers and body; another origin gets
 * neither `Authorization` nor `Cookie`. `send` resolves for every status, with at most 1 MB of body, decompressed, and
 * rejects when there is no answer: refused address, timeout, connection lost, abort, malformed URL or header.
 *
 * @see part 14 §2.3
 */
export function fetchWebHookClient(options: FetchWebHookClientOptions = {}): WebHookClient {
  const { clock = systemClock, maxRedirects = 32, allowLinkLocal = false, refuseAddress = () => false } = options;
  const shared = {
    clock,
    resolve: options.resolve ?? resolveHost,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    isRefused: (address: { address: string; family: number }) =>
      (!allowLinkLocal && isLinkLocal(address)) || refuseAddress(address.address),
  };
  return {
    async send(request, signal) {
      signal.throwIfAborted();
      const started = clock.monotonicMs();
      const first = firstExchange(request, options.userAgent ?? "Signalbox");
      const limit = request.followRedirects ? maxRedirects : 0;
      const answer = await follow(first, { ...shared, signal }, limit);
      return { ...answer, elapsedMs: clock.monotonicMs() - started };
    },
  };
}

async function follow(first: Exchange, context: ExchangeContext, limit: number): Promise<Answer> {
  let call = first;
  for (let count = 0; ; count++) {
    const answer = await exchange(call, context);
    const location = REDIRECTS.includes(answer.status) ? answer.headers["location"] : undefined;
    if (location === undefined || limit === 0) return answer;
    if (count >= limit) throw new Error(`Too many redirects (${limit}): ${call.url.host}`);
    call = redirected(call, location);
  }
}

function redirected(call: Exchange, location: string): Exchange {
  const url = parseUrl(location, call.url);
  if (url.origin === call.url.origin) return { ...call, url };
  const kept = Object.entries(call.headers).filter(([name]) => !ORIGIN_BOUND.includes(name.toLowerCase()));
  return { ...call, url, headers: Object.fromEntries(kept) };
}

function firstExchange(request: WebHookRequest, userAgent: string): Exchange {
  const { body } = request;
  const own = Object.entries(request.headers).filter(([name]) => !FRAMING.includes(name.toLowerCase()));
  for (const [name, value] of own) checkHeader(name, value);
  const given = new Set(own.map(([name]) => name.toLowerCase()));
  const defaults = Object.entries({ "User-Agent": userAgent, "Accept-Encoding": "gzip, deflate, br" });
  const headers = Object.fromEntries([...defaults.filter(([name]) => !given.has(name.toLowerCase())), ...own]);
  if (!/^[A-Za-z]{1,20}$/.test(request.method)) throw new TypeError("Malformed request method");
  return {
    method: request.method.toUpperCase(),
    url: parseUrl(request.url),
    headers: body === undefined ? headers : { ...headers, "Content-Length": String(Buffer.byteLength(body)) },
    body,
    idleTimeoutMs: request.timeoutMs,
    skipCertificateCheck: request.skipCertificateCheck,
  };
}

/** Never names the URL: it may hold a credential. */
function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (!url) throw new TypeError("Malformed web hook URL");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TypeError(`Protocol is not allowed: ${url.protocol.slice(0, 20)}`);
  return url;
}

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
  } catch (cause) {
    throw new TypeError(`Invalid characters in header name: ${name.slice(0, 100)}`, { cause });
  }
  try {
    validateHeaderValue(name, value);
  } catch (cause) {
    throw new TypeError(`Invalid characters in header value: ${name}`, { cause });
  }
}
