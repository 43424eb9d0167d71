/** Loopback, private, link-local and unique local addresses: data for them does not cross the public network. */
const NEAR = [
  /^127\./,
  /^10\./,
  /^192\.168\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^169\.254\./,
  /^::1$/,
  /^f[cd][0-9a-f]{2}:/i,
  /^fe[89ab][0-9a-f]:/i,
];

/** `ip` as sockets report it; IPv4 addresses may be mapped into IPv6. */
export function isNearAddress(ip: string): boolean {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, "");
  return NEAR.some((pattern) => pattern.test(address));
}
