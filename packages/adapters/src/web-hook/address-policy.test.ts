import { isIP } from "node:net";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeAddress, parseTargets, type TargetEntry } from "./address-policy.ts";

function judge(address: string, allow: readonly TargetEntry[] = [], hostname = "") {
  return judgeAddress({ address, family: isIP(address) }, { allow: parseTargets(allow) }, hostname);
}

describe("an address is classified by its kind", () => {
  test.each([
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["::1", "loopback"],
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["::", "unspecified"],
    ["10.0.0.1", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["fc00::1", "private"],
    ["fd12:3456::1", "private"],
    ["fec0::1", "private"],
    ["169.254.0.1", "link-local"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["febf::1", "link-local"],
    ["169.254.169.254", "metadata"],
    ["169.254.170.2", "metadata"],
    ["168.63.129.16", "metadata"],
    ["100.100.100.200", "metadata"],
    ["192.0.0.192", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["fd20:ce::254", "metadata"],
    ["224.0.0.1", "multicast"],
    ["239.255.255.255", "multicast"],
    ["ff02::1", "multicast"],
    ["192.0.2.1", "reserved"],
    ["198.18.0.1", "reserved"],
    ["198.51.100.1", "reserved"],
    ["203.0.113.1", "reserved"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "reserved"],
    ["2001:db8::1", "reserved"],
    ["100::1", "reserved"],
    ["5f00::1", "reserved"],
    ["4000::1", "reserved"],
    // The same addresses in IPv6 forms: mapped, NAT64, compatible, 6to4, Teredo, local NAT64, translated.
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:7f00:1", "loopback"],
    ["0:0:0:0:0:ffff:a00:1", "private"],
    ["::ffff:169.254.169.254", "metadata"],
    ["::ffff:0.0.0.0", "unspecified"],
    ["64:ff9b::7f00:1", "loopback"],
    ["64:ff9b::169.254.169.254", "metadata"],
    ["64:ff9b::10.0.0.1", "private"],
    ["64:ff9b::", "unspecified"],
    ["64:ff9b:1::7f00:1", "reserved"],
    ["::127.0.0.1", "reserved"],
    ["::a9fe:a9fe", "reserved"],
    ["2002:7f00:1::1", "reserved"],
    ["2002:a9fe:a9fe::", "reserved"],
    ["2001:0:a9fe:a9fe::1", "reserved"],
    ["::ffff:0:7f00:1", "reserved"],
  ])("%s is %s", (address, kind) => {
    expect(judge(address)).toBe(kind);
  });

  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.17",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
  ])("%s is public", (address) => {
    expect(judge(address)).toBeUndefined();
  });
});

describe("the allow-list opens its targets and nothing else", () => {
  test.each<[TargetEntry, string, string]>([
    ["loopback", "127.0.0.1", "10.0.0.1"],
    ["loopback", "::ffff:127.0.0.1", "0.0.0.0"],
    ["loopback", "::1", "::"],
    ["private", "192.168.7.7", "169.254.0.1"],
    ["private", "fd00::1", "fd00:ec2::254"],
    ["private", "100.64.0.1", "100.100.100.200"],
    ["link-local", "169.254.1.1", "169.254.169.254"],
    ["metadata", "169.254.169.254", "169.254.169.253"],
    ["10.1.2.3", "10.1.2.3", "10.1.2.4"],
    ["10.1.0.0/16", "10.1.255.255", "10.2.0.0"],
    ["10.1.0.0/16", "::ffff:10.1.0.1", "::ffff:10.2.0.1"],
    ["10.1.0.0/16", "64:ff9b::10.1.0.1", "64:ff9b::10.2.0.1"],
    ["169.254.169.254", "169.254.169.254", "169.254.170.2"],
    ["fd12::/32", "fd12::1", "fd13::1"],
    ["::1", "::1", "127.0.0.1"],
    ["0.0.0.0/0", "127.0.0.1", "::1"],
    ["::/0", "::1", "127.0.0.1"],
  ])("%s opens %s, not %s", (entry, open, closed) => {
    expect(judge(open, [entry])).toBeUndefined();
    expect(judge(closed, [entry])).toBeDefined();
  });

  test.each<[TargetEntry, string, boolean]>([
    ["hooks.internal", "hooks.internal", true],
    ["hooks.internal", "HOOKS.internal.", true],
    ["Hooks.Internal.", "hooks.internal", true],
    ["hooks.internal", "a.hooks.internal", false],
    ["hooks.internal", "hooks.internal.evil.example", false],
    ["hooks.internal", "evilhooks.internal", false],
    ["*.internal", "a.b.internal", true],
    ["*.internal", "internal", false],
    ["*.internal", "evilinternal", false],
  ])("%s for %s: %s", (entry, hostname, isOpen) => {
    expect(judge("10.0.0.1", [entry], hostname) === undefined).toBe(isOpen);
  });

  test("a name never opens metadata and link-local addresses", () => {
    expect(judge("169.254.169.254", ["hooks.internal"], "hooks.internal")).toBe("metadata");
    expect(judge("fe80::1", ["hooks.internal", "private"], "hooks.internal")).toBe("link-local");
    expect(judge("127.0.0.1", ["hooks.internal"], "hooks.internal")).toBeUndefined();
  });

  test.each([
    "",
    "10.0.0",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "fe80::1%eth0",
    "::1/129",
    "a b",
    "https://x",
    "*",
    "*.",
    "a:80",
    "2130706433",
  ])("%j is no valid entry", (entry) => {
    expect(() => parseTargets([entry])).toThrow(new TypeError(`Malformed web hook target: ${entry}`));
  });
});

describe("an air gap", () => {
  const inside = (address: string, allow: readonly string[], hostname = "") =>
    judgeAddress(
      { address, family: isIP(address) },
      {
        allow: parseTargets(allow),
        airGap: { allow: parseTargets(["loopback", "private", "8.8.8.8"]), refuse: parseTargets(["10.9.0.0/16"]) },
      },
      hostname,
    );

  test.each<[string, readonly string[], string | undefined]>([
    ["1.1.1.1", [], "outside of the air gap"],
    ["8.8.8.8", [], undefined],
    ["10.0.0.1", ["private"], undefined],
    ["10.9.0.1", ["private"], "outside of the air gap"],
    ["169.254.1.1", ["link-local"], "outside of the air gap"],
    // The allow list of an air gap restricts targets; it opens none.
    ["10.0.0.1", [], "private"],
  ])("%s with %j open: %s", (address, allow, refusal) => {
    expect(inside(address, allow)).toBe(refusal);
  });
});

describe("properties of the policy", () => {
  const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
  const special = fc.constantFrom(
    [127, 0, 0, 1],
    [169, 254, 169, 254],
    [10, 0, 0, 1],
    [192, 168, 0, 1],
    [172, 16, 0, 1],
    [0, 0, 0, 0],
    [100, 64, 0, 1],
    [224, 0, 0, 1],
  );
  const hex = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]) =>
    `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;

  test("mapped and NAT64 forms are classified like the IPv4 address inside", async () => {
    await fc.assert(
      fc.property(fc.oneof(octets, special), (parts) => {
        const plain = judge(parts.join("."));
        expect(judge(`::ffff:${hex(parts)}`)).toBe(plain);
        expect(judge(`64:ff9b::${hex(parts)}`)).toBe(plain);
      }),
      { numRuns: 2000 },
    );
  });

  /** Spellings of an IPv4 address that an attacker may write in a URL. */
  const spellings = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]) => {
    const value = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    const octal = (part: number) => `0${part.toString(8)}`;
    const digits = [a, b, c, d].map((part) => `0x${part.toString(16)}`);
    return [
      `${a}.${b}.${c}.${d}`,
      `${a}.${b}.${c}.${d}.`,
      String(value),
      `0x${value.toString(16)}`,
      `0${value.toString(8)}`,
      [a, b, c, d].map(octal).join("."),
      digits.join("."),
      `${a}.${(b << 16) | (c << 8) | d}`,
      `${a}.${b}.${(c << 8) | d}`,
      `[::ffff:${a}.${b}.${c}.${d}]`,
      `[::ffff:${hex([a, b, c, d])}]`,
      `[64:ff9b::${a}.${b}.${c}.${d}]`,
      `[::${a}.${b}.${c}.${d}]`,
      `[2002:${hex([a, b, c, d])}::]`,
      [...`${a}.${b}.${c}.${d}`].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(""),
      `${a}。${b}。${c}。${d}`,
    ];
  };

  const octet = fc.nat(255);
  const closed = fc.oneof(
    special,
    ...[[10], [127], [169, 254], [172, 20], [192, 168], [100, 100], [0], [239], [255]].map((head) =>
      fc.tuple(...[0, 1, 2, 3].map((place) => (head[place] === undefined ? octet : fc.constant(head[place])))),
    ),
  );

  test("no spelling of a closed address in a URL is accepted, in 24000 tries", async () => {
    const past: string[] = [];
    await fc.assert(
      fc.property(closed, (parts) => {
        for (const host of spellings(parts)) {
          const address = new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, "");
          if (isIP(address) === 0 || judge(address) === undefined) past.push(host);
        }
      }),
      { numRuns: 1500 },
    );
    expect(past).toEqual([]);
  });
});
