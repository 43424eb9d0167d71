const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * The network of a caller, for counting failures: the address itself or, for IPv6, its /64, since one customer has the whole of
 * it. An IPv4-mapped IPv6 address (`::ffff:198.51.100.7`) counts as its IPv4 address.
 */
export function callerNetwork(ip: string): string {
  if (!ip.includes(":")) return ip;
  const mapped = MAPPED.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = "", tail] = ip.toLowerCase().split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":").length : 0;
  while (tail !== undefined && groups.length < 8 - after) groups.push("0");
  return `${groups.slice(0, 4).map(plainGroup).join(":")}::/64`;
}

/** A group of an IPv6 address without leading zeros, so that each network has only one name. */
const plainGroup = (group: string): string => group.replace(/^0+(?=.)/, "");
