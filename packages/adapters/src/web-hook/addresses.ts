import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host name to its addresses; rejects when there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly Address[]>;

/** Addresses of the machine's own link, where clouds hand out credentials to whoever asks. */
const linkLocal = new BlockList();
linkLocal.addSubnet("169.254.0.0", 16, "ipv4");
linkLocal.addSubnet("fe80::", 10, "ipv6");
// Metadata services outside the link-local blocks: Azure, Alibaba, Amazon over IPv6.
linkLocal.addAddress("168.63.129.16", "ipv4");
linkLocal.addAddress("100.100.100.200", "ipv4");
linkLocal.addAddress("fd00:ec2::254", "ipv6");
// The same IPv4 addresses written as IPv6: NAT64, 6to4, compatible.
linkLocal.addSubnet("64:ff9b::a9fe:0", 112, "ipv6");
linkLocal.addSubnet("2002:a9fe::", 32, "ipv6");
linkLocal.addSubnet("::a9fe:0", 112, "ipv6");

export function isLinkLocal({ address, family }: Address): boolean {
  const bare = address.split("%")[0] ?? address;
  return linkLocal.check(bare, family === 6 ? "ipv6" : "ipv4");
}

export const resolveHost: ResolveHost = (hostname) => lookup(hostname, { all: true, verbatim: true });

/** Addresses to connect to, so that the name is resolved once: a second answer could name a forbidden address. */
export async function addressesOf(url: URL, resolve: ResolveHost): Promise<readonly Address[]> {
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const family = isIP(hostname);
  return family === 0 ? resolve(hostname) : [{ address: hostname, family }];
}
