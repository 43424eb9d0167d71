const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * The network of a caller, for counts of failures: the address itself, or the /64 of an IPv6 address, which one
 * customer has whole. An IPv4 address in the form of IPv6 (`::ffff:198.51.100.7`) is that IPv4 address.
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

/** A group of an address without leading zeros, so that one network has one name. */
const plainGroup = (group: string): string => group.replace(/^0+(?=.)/, "");
