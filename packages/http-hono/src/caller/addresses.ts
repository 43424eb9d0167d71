import { BlockList, isIP } from "node:net";

const LOOPBACK = ["127.0.0.0/8", "::1/128"];
const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"];
const NAMED: Readonly<Record<string, readonly string[]>> = { loopback: LOOPBACK, private: PRIVATE };
/** Headers to whose end each proxy appends the address of its own caller; the first of these headers that is present counts. */
const CHAIN_HEADERS = ["x-forwarded-for", "forwarded-for", "x-forwarded", "forwarded"] as const;
/** Headers with a single address, which the nearest proxy sets. */
const SINGLE_HEADERS = [
  "x-client-ip",
  "cf-connecting-ip",
  "true-client-ip",
  "x-real-ip",
  "x-cluster-client-ip",
] as const;
const HTTPS_HEADERS = [
  ["front-end-https", "on"],
  ["x-url-scheme", "https"],
  ["x-forwarded-protocol", "https"],
  ["x-forwarded-proto", "https"],
  ["x-forwarded-ssl", "on"],
] as const;
/** A forged chain must not fill the activity log; proxies append to the end of a chain. */
const MAX_PER_HEADER = 16;
const MAX_ADDRESSES = 32;
const REMEMBERED = 1000;

type SomeHeaders = Pick<Headers, "get">;

/** Whether forwarding headers from this socket address are trusted. */
export type Trust = (socketAddress: string) => boolean;

/** Builds a `Trust` from "loopback", "private", addresses and CIDR ranges. Throws `Error` for anything else, naming `setting`. */
export function createTrust(entries: readonly string[], setting = "api.trusted_proxies"): Trust {
  const ranges = entries.flatMap((entry) => NAMED[entry] ?? [entry]);
  return remembered(blockList(ranges, setting));
}

/** Caches results: callers come back, and searching the list is slower than a map. Bounded, as addresses can be forged. */
function remembered(list: BlockList): Trust {
  const known = new Map<string, boolean>();
  return (address) => {
    const before = known.get(address);
    if (before !== undefined) return before;
    const answer = contains(list, address);
    if (known.size >= REMEMBERED) known.clear();
    known.set(address, answer);
    return answer;
  };
}

function blockList(ranges: readonly string[], setting: string): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const version = isIP(address);
    const widest = version === 6 ? 128 : 32;
    const width = bits === undefined ? widest : Number(bits);
    const wrong = version === 0 || bits === "" || !Number.isInteger(width) || width < 0 || width > widest;
    if (wrong) throw new Error(`${setting}: "${range}" is no address and no CIDR range`);
    list.addSubnet(address, width, familyOf(version));
  }
  return list;
}

const familyOf = (version: number): "ipv4" | "ipv6" => (version === 6 ? "ipv6" : "ipv4");

function contains(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, familyOf(version));
}

/** Converts the IPv4-mapped `::ffff:10.0.0.1` to 10.0.0.1. */
export function unwrap(address: string): string {
  const match = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return match?.[1] ?? address;
}

/** The parts of a request that tell where it comes from. */
export interface Origin {
  readonly headers: SomeHeaders;
  readonly socketAddress: string | undefined;
  readonly trust: Trust;
  /** Lower-case names of the headers that the proxies set; absent = all known ones. */
  readonly believed?: ReadonlySet<string>;
}

/**
 * All addresses of a caller, claimed ones first (docs/contract/requests.md#address-of-the-caller), the socket's last; only the
 * socket's if it is not trusted.
 */
export function callerAddresses(origin: Origin): string[] {
  const socket = unwrap(origin.socketAddress ?? "");
  if (!origin.trust(socket)) return socket ? [socket] : [];
  const found = new Set<string>();
  for (const name of [...SINGLE_HEADERS, ...CHAIN_HEADERS])
    for (const address of claimsOf(origin, name)) if (address && found.size < MAX_ADDRESSES) found.add(address);
  for (const address of [mainAddress(origin), socket]) found.add(address);
  return [...found];
}

/**
 * The caller's address: the last one in the chain that is not a trusted proxy, since callers can send any header and a proxy only
 * appends to the chain. Proxies that send a single address replace the caller's header; if several such headers disagree, one
 * must come from the caller, so none is trusted.
 */
export function mainAddress(origin: Origin): string {
  const socket = unwrap(origin.socketAddress ?? "");
  if (!origin.trust(socket)) return socket;
  const chain = CHAIN_HEADERS.map((name) => claimsOf(origin, name)).find((claims) => claims.length > 0);
  if (chain) return lastUntrusted(chain, socket, origin.trust);
  const told = new Set(
    SINGLE_HEADERS.flatMap((name) => {
      const claims = claimsOf(origin, name);
      return claims.length > 0 ? [lastUntrusted(claims, socket, origin.trust)] : [];
    }),
  );
  const [only = socket] = told;
  return told.size > 1 ? socket : only;
}

/** An unreadable address ends the search: no known proxy wrote the addresses before it. */
function lastUntrusted(claims: readonly (string | undefined)[], socket: string, trust: Trust): string {
  let hop = socket;
  for (const address of claims.toReversed()) {
    if (address === undefined) return hop;
    if (!trust(address)) return address;
    hop = address;
  }
  return hop;
}

/** The addresses in one header; undefined for parts that are not addresses. */
function claimsOf({ headers, believed }: Origin, name: string): (string | undefined)[] {
  if (believed && !believed.has(name)) return [];
  const text = headers.get(name);
  return text === null ? [] : text.split(",").slice(-MAX_PER_HEADER).map(claimedAddress);
}

/** Reads `1.2.3.4`, `1.2.3.4:80`, `[::1]:80` and `for="…";proto=…`; drops anything else. */
function claimedAddress(text: string): string | undefined {
  const claimed = (/(?:^|;)\s*for=\s*"?([^";]+)/i.exec(text)?.[1] ?? text).trim();
  const bare = /^\[([^\]]+)\]/.exec(claimed)?.[1] ?? (isIP(claimed) ? claimed : claimed.replace(/:\d+$/, ""));
  const address = unwrap(bare);
  return isIP(address) ? address : undefined;
}

/**
 * Whether a trusted proxy reports that the caller used HTTPS (docs/contract/credentials.md#cookie). Proxies in a row may each add
 * the header; the first value is of the proxy that the caller reached.
 */
export function saysHttps(headers: SomeHeaders): boolean {
  return HTTPS_HEADERS.some(([name, value]) => headers.get(name)?.split(",")[0]?.trim().toLowerCase() === value);
}
