import { BlockList } from "node:net";
import type { Address } from "./addresses.ts";

/** Kind of an address that is not public. */
export type Kind = "loopback" | "private" | "link-local" | "metadata" | "multicast" | "reserved" | "unspecified";

/** Blocks of each kind, in the order in which they are checked: metadata addresses are inside other blocks. */
const BLOCKS: readonly (readonly [Kind, readonly string[]])[] = [
  [
    "metadata",
    [
      // Amazon, Google, Azure, DigitalOcean, OpenStack and most others; then Amazon's containers.
      "169.254.169.254/32",
      "169.254.170.2/32",
      "169.254.170.23/32",
      // Azure, Alibaba, Oracle.
      "168.63.129.16/32",
      "100.100.100.200/32",
      "192.0.0.192/32",
      // Amazon, Google, Scaleway over IPv6.
      "fd00:ec2::254/128",
      "fd00:ec2::23/128",
      "fd20:ce::254/128",
      "fd00:42::42/128",
    ],
  ],
  ["link-local", ["169.254.0.0/16", "fe80::/10"]],
  ["loopback", ["127.0.0.0/8", "::1/128"]],
  ["unspecified", ["0.0.0.0/8", "::/128"]],
  ["private", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fec0::/10"]],
  ["multicast", ["224.0.0.0/4", "ff00::/8"]],
  [
    "reserved",
    [
      "192.0.0.0/24",
      "192.0.2.0/24",
      "192.88.99.0/24",
      "198.18.0.0/15",
      "198.51.100.0/24",
      "203.0.113.0/24",
      "240.0.0.0/4",
      // Tunnels and documentation blocks inside the public block; each may lead to a non-public address.
      "2001::/23",
      "2001:db8::/32",
      "2002::/16",
      "3fff::/20",
    ],
  ],
];

const lists = BLOCKS.map(([kind, blocks]) => [kind, blockList(blocks)] as const);
/** The public part of IPv6. All other blocks have a special use or none. */
const publicIpv6 = blockList(["2000::/3"]);
const mapped = blockList(["::ffff:0:0/96", "64:ff9b::/96"]);

function blockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = "", bits] = block.split("/");
    list.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}

/** Undefined for public addresses. */
export function kindOf({ address, family }: Address): Kind | undefined {
  const type = family === 6 ? "ipv6" : "ipv4";
  const known = lists.find(([, list]) => list.check(address, type))?.[0];
  return known ?? (family === 6 && !publicIpv6.check(address, type) ? "reserved" : undefined);
}

/** The address that is ultimately reached: removes zones, and extracts IPv4 from mapped and NAT64 addresses. */
export function effectiveAddress({ address, family }: Address): Address {
  const bare = address.split("%")[0] ?? address;
  if (family !== 6) return { address: bare, family: 4 };
  return mapped.check(bare, "ipv6") ? { address: embeddedIpv4(bare), family: 4 } : { address: bare, family: 6 };
}

/** The last 32 bits of an IPv6 address in dotted notation. */
function embeddedIpv4(address: string): string {
  // The URL parser normalises every form of an IPv6 address, without dots.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  // In both blocks the IPv4 address is in the last two groups; "::" may stand for zeros in or before them.
  const [high = "0", low = "0"] = lastGroups(canonical);
  const value = Number.parseInt(high || "0", 16) * 65_536 + Number.parseInt(low || "0", 16);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
}

const lastGroups = (canonical: string): string[] => {
  const [head = "", tail] = canonical.split("::");
  const after = tail === undefined ? head.split(":") : tail === "" ? [] : tail.split(":");
  return ["0", "0", ...after].slice(-2);
};
