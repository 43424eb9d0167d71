import { expect, test } from "vitest";
import { behindProxies } from "../src/index.ts";

const { clientAddress, isSecure } = behindProxies(["10.0.0.5"]);
const request = (remoteAddress: string | undefined, headers: Record<string, string | string[]> = {}) => ({
  headers,
  socket: { remoteAddress },
});
const forwarded = { "x-forwarded-for": "198.51.100.1, 203.0.113.7", "x-forwarded-proto": "https" };

test.each([
  ["a trusted proxy tells the address of the caller", request("10.0.0.5", forwarded), "203.0.113.7"],
  ["a mapped address is the same proxy", request("::ffff:10.0.0.5", forwarded), "203.0.113.7"],
  ["any other sender is known by the socket's address", request("10.0.0.6", forwarded), "10.0.0.6"],
  ["a proxy without headers is the caller", request("10.0.0.5"), "10.0.0.5"],
  ["headers may come several times", request("10.0.0.5", { "x-forwarded-for": ["203.0.113.8"] }), "203.0.113.8"],
  ["a closed socket has no address", request(undefined), ""],
])("%s", (_fact, sent, expected) => {
  expect(clientAddress(sent)).toBe(expected);
});

test("a satellite that names another address is known by the address that the proxy saw", () => {
  const chain = { "x-forwarded-for": "192.0.2.1, 203.0.113.7, 10.0.0.5", "x-real-ip": "192.0.2.2" };
  expect(clientAddress(request("10.0.0.5", chain))).toBe("203.0.113.7");
});

test("only this machine is trusted by default", () => {
  const proxied = behindProxies();
  expect(proxied.clientAddress(request("127.0.0.1", forwarded))).toBe("203.0.113.7");
  for (const address of ["10.0.0.5", "192.168.1.1", "fd00::1"])
    expect(proxied.clientAddress(request(address, forwarded))).toBe(address);
});

test("headers that are not configured are ignored", () => {
  const only = behindProxies(["10.0.0.5"], ["X-Real-IP"]);
  expect(only.clientAddress(request("10.0.0.5", { ...forwarded, "x-real-ip": "203.0.113.9" }))).toBe("203.0.113.9");
});

test("only a trusted proxy, or the socket itself, makes a request secure", () => {
  expect(isSecure(request("10.0.0.5", forwarded))).toBe(true);
  expect(isSecure(request("10.0.0.6", forwarded))).toBe(false);
  expect(isSecure(request("10.0.0.5"))).toBe(false);
  expect(isSecure({ headers: {}, socket: Object.assign({ remoteAddress: "203.0.113.7" }, { encrypted: true }) })).toBe(
    true,
  );
});

test("a malformed address is named in the error", () => {
  expect(() => behindProxies(["nowhere"])).toThrow('behindProxies: "nowhere" is no address and no CIDR range');
});
