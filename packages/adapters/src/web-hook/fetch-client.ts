import {
  type Clock,
  checkOptions,
  given,
  type OptionRules,
  optional,
  optionalPositive,
  optionalText,
  optionalWhole,
  systemClock,
  type WebHookClient,
  type WebHookRequest,
} from "@signalbox/core/adapter";
import { nodeHttp } from "../node-http.ts";
import { type AddressPolicy, parseTargets, type TargetEntry } from "./address-policy.ts";
import { type ResolveHost, resolveHost } from "./addresses.ts";
import { type Answer, type Exchange, type ExchangeContext, exchange } from "./exchange.ts";
import { createProber } from "./probe/prober.ts";

export interface FetchWebHookClientOptions {
  /**
   * Targets besides public addresses: kinds (`loopback`, `private`, `link-local`, `metadata`), addresses, blocks, host names.
   * Added to the targets that the engine's configuration allows. Default: none.
   */
  readonly allow?: readonly TargetEntry[];
  /** Trusted authorities in place of the well-known ones (PEM), and the lowest TLS version. */
  readonly tls?: ExchangeContext["tls"];
  /** Sent unless the request has its own. Default `Signalbox`. */
  readonly userAgent?: string;
  /** Milliseconds to resolve the name and connect, TLS included. Default 10000. */
  readonly connectTimeoutMs?: number;
  /** Default 32. */
  readonly maxRedirects?: number;
  readonly clock?: Clock;
  /** Default: the resolver of the operating system. */
  readonly resolve?: ResolveHost;
}

export const WEB_HOOK_CLIENT_RULES: OptionRules<FetchWebHookClientOptions> = {
  allow: optional,
  tls: given,
  userAgent: optionalText,
  connectTimeoutMs: optionalPositive,
  maxRedirects: optionalWhole,
  clock: optional,
  resolve: given,
};

const REDIRECTS: readonly number[] = [301, 302, 307, 308];
/** Headers with credentials for one origin, which must not be sent to another. */
const ORIGIN_BOUND = ["authorization", "cookie", "proxy-authorization", "host"];
/** The client sets the framing itself: a wrong length or a second framing would allow request smuggling. */
const FRAMING = ["content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer"];

/**
 * A client for web hooks on Node's own HTTP, for `http:` and `https:` only.
 *
 * Each name is resolved once, and all its addresses are checked before connecting, again after each redirect: a non-public
 * address is refused unless it is allowed. Redirects 301, 302, 307, 308 repeat method, headers and body; another origin receives
 * neither `Authorization` nor `Cookie` nor the parts that the request marks `originBound`. `send` resolves for every status, with
 * at most 1 MB of decompressed body, and rejects when there is no answer: with `TypeError` when a retry is pointless (refused
 * address, malformed URL or header), otherwise with `Error` (timeout, connection lost, abort). Throws `TypeError` at once for a
 * malformed entry in `allow`.
 *
 * @see docs/contract/web-hooks.md#sending
 */
export function fetchWebHookClient(options: FetchWebHookClientOptions = {}): WebHookClient {
  checkOptions("fetchWebHookClient", options, WEB_HOOK_CLIENT_RULES);
  const send = createHttpSender(options);
  const { clock = systemClock, resolve = resolveHost, tls = {} } = options;
  return {
    probe: createProber({ clock, resolve, tls, policyOf: createPolicies(options.allow ?? []) }),
    async send(request, signal) {
      const answer = await send(request, signal);
      return { ...answer, body: answer.body.toString("utf8") };
    },
  };
}

/** A request with the bounds that a web hook leaves to its client. */
export interface HttpRequest extends WebHookRequest {
  readonly connectTimeoutMs?: number;
  /** Milliseconds; default `timeoutMs`. If set, `timeoutMs` applies only to the time between bytes. */
  readonly firstByteTimeoutMs?: number;
  /** Bytes of the body that are kept. Default 1 MiB. */
  readonly maxBodyBytes?: number;
}

const MAX_BODY_BYTES = 1_048_576;

/** Like `fetchWebHookClient`, but returns the body as bytes. */
export function createHttpSender(options: FetchWebHookClientOptions = {}) {
  const { clock = systemClock, maxRedirects = 32 } = options;
  const policyOf = createPolicies(options.allow ?? []);
  const shared = {
    clock,
    resolve: options.resolve ?? resolveHost,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    tls: options.tls ?? {},
  };
  return async (request: HttpRequest, signal: AbortSignal): Promise<Answer & { readonly elapsedMs: number }> => {
    signal.throwIfAborted();
    const started = clock.monotonicMs();
    const first = firstExchange(request, options.userAgent ?? "Signalbox");
    const limit = request.followRedirects ? Math.min(maxRedirects, request.maxRedirects ?? maxRedirects) : 0;
    const { connectTimeoutMs = shared.connectTimeoutMs } = request;
    const context = { ...shared, connectTimeoutMs, policy: policyOf(request), signal };
    const bound = new Set([...ORIGIN_BOUND, ...(request.originBound?.headers ?? []).map((name) => name.toLowerCase())]);
    const answer = await follow(first, context, { limit, bound, bindsBody: request.originBound?.body ?? false });
    return { ...answer, elapsedMs: clock.monotonicMs() - started };
  };
}

/** Caches the parsed lists of a configuration, because every request brings the same objects. */
function createPolicies(allow: readonly TargetEntry[]): (request: Pick<WebHookRequest, "targets">) => AddressPolicy {
  const own = parseTargets(allow);
  const policies = new WeakMap<object, AddressPolicy>();
  return ({ targets }) => {
    if (!targets) return { allow: own };
    const known = policies.get(targets);
    if (known) return known;
    const { airGap } = targets;
    const parsed: AddressPolicy = {
      allow: parseTargets([...allow, ...targets.allow]),
      airGap: airGap && { allow: parseTargets(airGap.whitelist), refuse: parseTargets(airGap.blacklist) },
    };
    policies.set(targets, parsed);
    return parsed;
  };
}

interface RedirectRules {
  readonly limit: number;
  /** Lower-case names of headers that another origin does not receive. */
  readonly bound: ReadonlySet<string>;
  /** True = another origin gets no body either. */
  readonly bindsBody: boolean;
}

async function follow(first: Exchange, context: ExchangeContext, rules: RedirectRules): Promise<Answer> {
  let call = first;
  for (let count = 0; ; count++) {
    const answer = await exchange(call, context);
    const location = REDIRECTS.includes(answer.status) ? answer.headers["location"] : undefined;
    if (location === undefined || rules.limit === 0) return answer;
    if (count >= rules.limit) throw new Error(`Too many redirects (${rules.limit}): ${call.url.host}`);
    call = redirected(call, location, rules);
  }
}

function redirected(call: Exchange, location: string, { bound, bindsBody }: RedirectRules): Exchange {
  const url = parseUrl(location, call.url);
  if (url.origin === call.url.origin) return { ...call, url };
  const dropped = bindsBody ? new Set([...bound, "content-length", "content-type"]) : bound;
  const kept = Object.entries(call.headers).filter(([name]) => !dropped.has(name.toLowerCase()));
  return { ...call, url, headers: Object.fromEntries(kept), body: bindsBody ? undefined : call.body };
}

function firstExchange(request: HttpRequest, userAgent: string): Exchange {
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
    firstByteTimeoutMs: request.firstByteTimeoutMs ?? request.timeoutMs,
    idleTimeoutMs: request.timeoutMs,
    maxBodyBytes: request.maxBodyBytes ?? MAX_BODY_BYTES,
    skipCertificateCheck: request.skipCertificateCheck,
  };
}

/** Parses a URL. Error messages never contain the URL, which may contain a credential. */
function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (!url) throw new TypeError("Malformed web hook URL");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TypeError(`Protocol is not allowed: ${url.protocol.slice(0, 20)}`);
  if (url.username !== "" || url.password !== "")
    throw new TypeError("The URL may not carry a user name or password; use an Authorization header");
  return url;
}

function checkHeader(name: string, value: string): void {
  try {
    nodeHttp.validateHeaderName(name);
  } catch (cause) {
    throw new TypeError(`Invalid characters in header name: ${name.slice(0, 100)}`, { cause });
  }
  try {
    nodeHttp.validateHeaderValue(name, value);
  } catch (cause) {
    throw new TypeError(`Invalid characters in header value: ${name}`, { cause });
  }
}
