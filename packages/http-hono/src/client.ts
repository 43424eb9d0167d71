import type { Client } from "@signalbox/core";
import { callerAddresses, mainAddress, saysHttps } from "./addresses.ts";
import { socketAddress } from "./body.ts";
import type { HostEnv } from "./options.ts";
import type { Settings } from "./settings.ts";

/** Never logged, never stored, never handed to an operation (part 10 §3). */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  "cookie",
  "x-session-id",
  "x-api-key",
  "x-csrf-token",
  "authorization",
  "proxy-authorization",
]);

export interface ClientFacts {
  readonly request: Request;
  readonly env: HostEnv;
  readonly versioned: boolean;
  readonly pathSuffix: string;
  /** Decoded path of the whole request, and its end that belongs to the router. */
  readonly path: string;
  readonly tail: string;
}

interface Known {
  readonly facts: ClientFacts;
  readonly settings: Settings;
  ips?: readonly string[];
  headers?: Readonly<Record<string, string>>;
}

/** A symbol, because the request itself must not show up where a client is logged or copied. */
const KNOWN = Symbol("known");

type LazyClient = Client & { [KNOWN]: Known };

/**
 * Who calls. Most operations look at little of it, so the rest is worked out when it is asked for. The getters sit on a
 * shared prototype: an object literal with getters of its own costs more than all the rest of the dispatch.
 */
export function createClient(facts: ClientFacts, settings: Settings): Client {
  const client = Object.create(lazyClient) as LazyClient;
  client[KNOWN] = { facts, settings };
  return client;
}

const lazyClient = {
  get method(): string {
    return knownOf(this).facts.request.method;
  },
  get versioned(): boolean {
    return knownOf(this).facts.versioned;
  },
  get pathSuffix(): string {
    return knownOf(this).facts.pathSuffix;
  },
  get ips(): readonly string[] {
    const known = knownOf(this);
    const { facts, settings } = known;
    known.ips ??= callerAddresses(facts.request.headers, socketOf(facts, settings), settings.trust);
    return known.ips;
  },
  get ip(): string {
    return mainAddress(this.ips);
  },
  get headers(): Readonly<Record<string, string>> {
    const known = knownOf(this);
    known.headers ??= publicHeaders(known.facts.request.headers);
    return known.headers;
  },
  get userAgent(): string {
    return knownOf(this).facts.request.headers.get("user-agent") ?? "";
  },
  get baseUrl(): string {
    const { facts, settings } = knownOf(this);
    return baseUrl(facts, settings);
  },
};

const knownOf = (client: object): Known => (client as LazyClient)[KNOWN];

function socketOf({ request, env }: ClientFacts, { options }: Settings): string | undefined {
  return options.clientAddress ? options.clientAddress(request, env) : socketAddress(env);
}

function publicHeaders(headers: Headers): Record<string, string> {
  const kept = Object.create(null) as Record<string, string>;
  headers.forEach((value, name) => {
    // A page's own address may carry a session id or a token, since queries may.
    if (!CREDENTIAL_HEADERS.has(name)) kept[name] = name === "referer" ? value.replace(/[?#].*$/s, "") : value;
  });
  return kept;
}

/** Scheme, host and mount point as the caller sees them, without a slash at the end. */
function baseUrl(facts: ClientFacts, settings: Settings): string {
  const { url, headers } = facts.request;
  const host = url.indexOf("://") + 3;
  const path = url.indexOf("/", host);
  const socket = socketOf(facts, settings) ?? "";
  const scheme = settings.trust(socket) && saysHttps(headers) ? "https" : url.slice(0, host - 3);
  return `${scheme}://${path === -1 ? url.slice(host) : url.slice(host, path)}${mountPath(facts)}`;
}

/** The part of the path that the host put in front of the router. */
export function mountPath({ path, tail }: Pick<ClientFacts, "path" | "tail">): string {
  if (path.endsWith(tail)) return path.slice(0, path.length - tail.length);
  // Escapes that only the last decoding resolved make the end differ; its first two segments are plain.
  const [, first = "", second = ""] = tail.split("/", 3);
  return path.slice(0, Math.max(0, path.lastIndexOf(`/${first}/${second}`)));
}
