import { BlockList, isIP } from "node:net";

const LOOPBACK = ["127.0.0.0/8", "::1/128"];
const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"];
const NAMED: Readonly<Record<string, readonly string[]>> = { loopback: LOOPBACK, private: PRIVATE };
const NOT_PUBLIC = [...LOOPBACK, ...PRIVATE, "0.0.0.0/8", "100.64.0.0/10", "224.0.0.0/3", "::/128", "ff00::/8"];
/** Asked in this order (part 10 §5.5). */
const ADDRESS_HEADERS = [
  "x-client-ip",
  "cf-connecting-ip",
  "true-client-ip",
  "x-real-ip",
  "x-cluster-client-ip",
  "x-forwarded-for",
  "forwarded-for",
  "x-forwarded",
  "forwarded",
] as const;
const HTTPS_HEADERS = [
  ["front-end-https", "on"],
  ["x-url-scheme", "https"],
  ["x-forwarded-protocol", "https"],
  ["x-forwarded-proto", "https"],
  ["x-forwarded-ssl", "on"],
] as const;
/** A forged chain must not fill the activity log. */
const MAX_ADDRESSES = 32;
const REMEMBERED = 1000;

type SomeHeaders = Pick<Headers, "get">;

/** True for the sockets whose forwarding headers are believed. */
export type Trust = (socketAddress: string) => boolean;

/**
 * `entries` are "loopback", "private", addresses and CIDR ranges. Throws `Error` for anything else, naming `setting`.
 */
export function createTrust(entries: readonly string[], setting = "api.trusted_proxies"): Trust {
  const ranges = entries.flatMap((entry) => NAMED[entry] ?? [entry]);
  return remembered(blockList(ranges, setting));
}

/** Callers come back, and a list takes longer to ask than a map. Bounded, because addresses can be forged. */
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

const isNotPublic = remembered(blockList(NOT_PUBLIC, "NOT_PUBLIC"));

/** `::ffff:10.0.0.1` is the IPv4 address 10.0.0.1. */
export function unwrap(address: string): string {
  const match = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return match?.[1] ?? address;
}

/** All addresses of a caller, the claimed ones first, the socket's last; without trust the socket's alone. */
export function callerAddresses(headers: SomeHeaders, socketAddress: string | undefined, trust: Trust): string[] {
  const socket = unwrap(socketAddress ?? "");
  if (!trust(socket)) return socket ? [socket] : [];
  const found = new Set<string>();
  for (const name of ADDRESS_HEADERS)
    for (const part of headers.get(name)?.split(",") ?? []) {
      const address = claimedAddress(part);
      if (address && found.size < MAX_ADDRESSES) found.add(address);
    }
  found.add(socket);
  return [...found];
}

/** Reads `1.2.3.4`, `1.2.3.4:80`, `[::1]:80` and `for="…";proto=…`; anything else is dropped. */
function claimedAddress(text: string): string | undefined {
  const claimed = (/(?:^|;)\s*for=\s*"?([^";]+)/i.exec(text)?.[1] ?? text).trim();
  const bare = /^\[([^\]]+)\]/.exec(claimed)?.[1] ?? (isIP(claimed) ? claimed : claimed.replace(/:\d+$/, ""));
  const address = unwrap(bare);
  return isIP(address) ? address : undefined;
}

/** The first public address, otherwise the first. */
export function mainAddress(addresses: readonly string[]): string {
  return addresses.find((address) => !isNotPublic(address)) ?? addresses[0] ?? "";
}

/** A trusted proxy says that the caller used HTTPS (part 11 §4.2). */
export function saysHttps(headers: SomeHeaders): boolean {
  return HTTPS_HEADERS.some(([name, value]) => headers.get(name)?.toLowerCase() === value);
}
