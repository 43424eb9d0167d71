import { expect, test } from "vitest";
import { keepGranted } from "../access/rules/granting.ts";
import { hashApiKey, isKeyMask, maskApiKey, publicApiKey, withoutServerMembers } from "./rules.ts";

test("the hash and the mask follow the published vector", () => {
  const plain = "muJm8T6QSzqQzuO6MvbOdtlB";
  expect(hashApiKey(plain, "kexample0001")).toBe("7577a11114b06d6cc792409a6afc7467375501cf7bd91b4708c855e4d63479aa");
  expect(maskApiKey(plain)).toBe("muJm********dtlB");
});

test("only granted privileges are kept", () => {
  expect(keepGranted({ a: true, b: 1, c: false, d: 0 })).toEqual({ a: true, b: true });
});

test("members of the server are dropped from callers' input", () => {
  expect(withoutServerMembers({ title: "T", key: "k", mask: "m", last_used: 5 })).toEqual({ title: "T" });
});

test("the public form has no hash", () => {
  const record = { id: "k1", key: "hash", mask: "m" } as Parameters<typeof publicApiKey>[0];
  expect(publicApiKey(record)).toEqual({ id: "k1", mask: "m" });
});

test.each([
  ["muJm********dtlB", true],
  [maskApiKey("abc"), true],
  [maskApiKey("ä💥öü--------------------"), true],
  ["********", false],
  ["muJm••••dtlB", false],
  ["", false],
  [undefined, false],
])("%j is one of our masks: %s", (mask, isOurs) => {
  expect(isKeyMask(mask)).toBe(isOurs);
});
