/**
 * What stands for a caller in counts of failures: the address itself, or the /64 of an IPv6 address, which one customer
 * has whole.
 */
export function callerNetwork(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.toLowerCase().split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":").length : 0;
  while (tail !== undefined && groups.length < 8 - after) groups.push("0");
  return `${groups.slice(0, 4).join(":")}::/64`;
}
