import { type Client, requestIdOf } from "@signalbox/core/plugin";
import { parseQuery, shownUrl } from "../input/query.ts";
import type { HostEnv } from "../options.ts";
import type { Target } from "../paths.ts";
import type { Settings } from "../settings.ts";
import { callerAddresses, mainAddress, type Origin, saysHttps, unwrap } from "./addresses.ts";
import { type CallHeaders, type CallRequest, wholeRequest } from "./call-request.ts";
import { socketAddress } from "./connection.ts";
import { otherCookies } from "./credentials.ts";

/**
 * Headers that are never logged, stored or passed to an operation (docs/contract/requests.md#credentials-among-the-parameters).
 */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  "cookie",
  "x-session-id",
  "x-api-key",
  "x-csrf-token",
  "authorization",
  "proxy-authorization",
]);

/** The members of Hono's context that are used: most calls have no context. */
export interface Exchange {
  /** `path` is decoded. */
  readonly req: { readonly raw: CallRequest; readonly path: string; text(): Promise<string> };
  readonly env: HostEnv;
}

/** A request that is being handled. */
export interface Caller {
  readonly context: Exchange;
  readonly target: Pick<Target, "versioned" | "pathSuffix">;
  /** The end of the path, which belongs to the router. */
  readonly tail: string;
}

/**
 * The caller of a request. Most operations use little of it, so the rest is computed on demand. Its sources are private, because
 * the request itself must not appear where a client is logged or copied.
 */
class LazyClient implements Client {
  readonly #caller: Caller;
  readonly #settings: Settings;
  #ips: readonly string[] | undefined;
  #headers: Readonly<Record<string, string>> | undefined;

  constructor(caller: Caller, settings: Settings) {
    this.#caller = caller;
    this.#settings = settings;
  }

  get #request(): CallRequest {
    return this.#caller.context.req.raw;
  }

  get method(): string {
    return this.#request.method;
  }

  get versioned(): boolean {
    return this.#caller.target.versioned;
  }

  get pathSuffix(): string {
    return this.#caller.target.pathSuffix;
  }

  get ips(): readonly string[] {
    this.#ips ??= callerAddresses(originOf(this.#caller, this.#settings));
    return this.#ips;
  }

  get ip(): string {
    return mainAddress(originOf(this.#caller, this.#settings));
  }

  get headers(): Readonly<Record<string, string>> {
    this.#headers ??= publicHeaders(this.#request.headers);
    return this.#headers;
  }

  get url(): string {
    return shownUrl(this.#request.url);
  }

  get query(): Readonly<Record<string, unknown>> {
    return parseQuery(this.#request.url).parameters;
  }

  get cookies(): Readonly<Record<string, string>> {
    return otherCookies(this.#request.headers.get("cookie"));
  }

  get userAgent(): string {
    return this.#request.headers.get("user-agent") ?? "";
  }

  get requestId(): string | undefined {
    return requestIdOf(this.#request.headers.get("x-request-id"));
  }

  get baseUrl(): string {
    return baseUrl(this.#caller, this.#settings);
  }
}

export const createClient = (caller: Caller, settings: Settings): Client => new LazyClient(caller, settings);

function socketOf({ context }: Caller, { options }: Settings): string | undefined {
  const { clientAddress } = options;
  return clientAddress
    ? clientAddress(wholeRequest(context.req.raw), context.env)
    : socketAddress(context.env, context.req.raw);
}

const originOf = (caller: Caller, settings: Settings): Origin => ({
  headers: caller.context.req.raw.headers,
  socketAddress: socketOf(caller, settings),
  trust: settings.trust,
  believed: settings.addressHeaders,
});

/** The address of the calling page, or the path before a proxy rewrote it, whatever header it is in. */
const ADDRESS = /^((?:https?:\/)?\/[^\s?#]*)[?#].*$/is;

/** The value of a header without the query of an address, which may contain a session id, a key or a token. */
const withoutQuery = (value: string): string => value.replace(ADDRESS, "$1");

function publicHeaders(headers: CallHeaders): Record<string, string> {
  const kept = Object.create(null) as Record<string, string>;
  headers.forEach((value, name) => {
    if (!CREDENTIAL_HEADERS.has(name)) kept[name] = withoutQuery(value);
  });
  return kept;
}

/** Scheme, host and mount point as the caller sees them, without a trailing slash. */
function baseUrl(caller: Caller, settings: Settings): string {
  const { raw, path: whole } = caller.context.req;
  const { url, headers } = raw;
  const host = url.indexOf("://") + 3;
  const path = url.indexOf("/", host);
  const socket = unwrap(socketOf(caller, settings) ?? "");
  const scheme = settings.trust(socket) && saysHttps(headers) ? "https" : url.slice(0, host - 3);
  const origin = path === -1 ? url.slice(host) : url.slice(host, path);
  return `${scheme}://${origin}${mountPath({ path: whole, tail: caller.tail })}`;
}

interface Paths {
  /** Decoded path of the whole request. */
  readonly path: string;
  /** The end of the path, which belongs to the router. */
  readonly tail: string;
}

/** The part of the path that the host put before the router's. */
export function mountPath({ path, tail }: Paths): string {
  if (path.endsWith(tail)) return path.slice(0, path.length - tail.length);
  // The ends differ if only the last decoding resolved some escapes; the first two segments of the tail are always plain.
  const [, first = "", second = ""] = tail.split("/", 3);
  return path.slice(0, Math.max(0, path.lastIndexOf(`/${first}/${second}`)));
}
