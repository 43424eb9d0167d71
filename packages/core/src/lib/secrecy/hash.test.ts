import { expect, test } from "vitest";
import { equalSecrets, equalShortSecrets, sha256Hex } from "./hash.ts";

test.each([
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ["\u00e4", "33e6d73fee82904c8d7afb78de1154d1e8dc2a0edb08120e63df5b9385c2d9cc"],
])("the hash of %j", (text, expected) => {
  expect(sha256Hex(text)).toBe(expected);
});

test.each<[string, string, boolean]>([
  ["", "", true],
  ["abc", "abc", true],
  ["abc", "abd", false],
  ["abc", "ab", false],
  ["ä", "a", false],
])("%j and %j are equal: %s", (left, right, expected) => {
  expect(equalSecrets(left, right)).toBe(expected);
  expect(equalShortSecrets(left, right)).toBe(expected);
});
