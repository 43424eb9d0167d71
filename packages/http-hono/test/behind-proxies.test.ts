import { expect, test } from "vitest";
import { behindProxies } from "../src/index.ts";

const { clientAddress, isSecure } = behindProxies(["10.0.0.5"]);
const request = (remoteAddress: string | undefined, headers: Record<string, string | string[]> = {}) => ({
  headers,
  socket: { remoteAddress },
});
const forwarded = { "x-forwarded-for": "203.0.113.7, 10.9.9.9", "x-forwarded-proto": "https" };

test.each([
  ["a trusted proxy tells the address of the caller", request("10.0.0.5", forwarded), "203.0.113.7"],
  ["a mapped address is the same proxy", request("::ffff:10.0.0.5", forwarded), "203.0.113.7"],
  ["anybody else is whoever the socket says", request("10.0.0.6", forwarded), "10.0.0.6"],
  ["a proxy that tells nothing is the caller", request("10.0.0.5"), "10.0.0.5"],
  ["headers may come several times", request("10.0.0.5", { "x-forwarded-for": ["203.0.113.8"] }), "203.0.113.8"],
  ["a socket that is gone has no address", request(undefined), ""],
])("%s", (_fact, sent, expected) => {
  expect(clientAddress(sent)).toBe(expected);
});

test("only a trusted proxy, or the socket itself, makes a request secure", () => {
  expect(isSecure(request("10.0.0.5", forwarded))).toBe(true);
  expect(isSecure(request("10.0.0.6", forwarded))).toBe(false);
  expect(isSecure(request("10.0.0.5"))).toBe(false);
  expect(isSecure({ headers: {}, socket: Object.assign({ remoteAddress: "203.0.113.7" }, { encrypted: true }) })).toBe(
    true,
  );
});

test("what is no address is named", () => {
  expect(() => behindProxies(["nowhere"])).toThrow('behindProxies: "nowhere" is no address and no CIDR range');
});
