import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

export interface Address {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** Resolves a host name to its addresses; rejects when there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly Address[]>;

export const resolveHost: ResolveHost = (hostname) => lookup(hostname, { all: true, verbatim: true });

/** The host of a URL without the brackets of IPv6. */
export const hostnameOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");

/** Addresses to connect to. The name is resolved only once, because a second answer could contain a forbidden address. */
export async function addressesOf(url: URL, resolve: ResolveHost): Promise<readonly Address[]> {
  const hostname = hostnameOf(url);
  const family = isIP(hostname);
  return family === 0 ? resolve(hostname) : [{ address: hostname, family }];
}
