import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readAddresses } from "./addresses.ts";

test.each<[string, string[], string[]]>([
  ["", [], []],
  ["a@example.com, b@example.com,", ["a@example.com", "b@example.com"], []],
  ["a@example.com, A@EXAMPLE.com", ["a@example.com"], []],
  ["Ann Lee <ann@example.com>", ['"Ann Lee" <ann@example.com>'], []],
  ['"Lee, Ann" <ann@example.com>', ['"Lee, Ann" <ann@example.com>'], []],
  ["nobody, a@b@c, <x>, two words@example.com", [], ["nobody", "a@b@c", "<x>", "two words@example.com"]],
  ["a@example.com\r\nBcc: evil@example.com", [], ["a@example.com Bcc: evil@example.com"]],
])("%j is read as %j", (list, addresses, malformed) => {
  expect(readAddresses(list)).toEqual({ addresses, malformed });
});

test("an open quote, and a list that is too long, are faults of their own list", () => {
  const long = "a@example.com,".repeat(5000);
  const { addresses, malformed } = readAddresses('"a@example.com', "b@example.com", long, "c@example.com");
  expect(addresses).toEqual(["b@example.com", "c@example.com"]);
  expect(malformed).toEqual(['"a@example.com', long.slice(0, 320)]);
});

test("any input becomes well-formed addresses without a line break", () => {
  const parts = fc.array(fc.constantFrom("a@b.c", "<", ">", '"', ",", " ", "\r\n", "\\", "x", ";", "é@é.é"));
  void fc.assert(
    fc.property(parts, (all) => {
      for (const address of readAddresses(all.join("")).addresses)
        expect(address).toMatch(/^(?:"[^"\\<>\r\n]+" <[^<>\s"]+@[^<>\s"]+>|[^<>\s",;]+@[^<>\s",;]+)$/);
    }),
    { numRuns: 500 },
  );
});
