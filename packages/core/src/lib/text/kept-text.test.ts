import { expect, test } from "vitest";
import { freezeKept, keptText } from "./kept-text.ts";

test("a record frozen for caching has the text of JSON at every read", () => {
  const record = freezeKept({ id: "a", list: [1, { b: "\u2028" }], left: undefined });
  expect(keptText(record)).toBe('{"id":"a","list":[1,{"b":"\u2028"}]}');
  expect(keptText(record)).toBe(JSON.stringify(record));
  expect(() => (record.list as unknown[]).push(2)).toThrow(TypeError);
});

test.each([
  ["another record", { id: "a" }],
  ["a frozen one", Object.freeze({ id: "a" })],
  ["no record", "a"],
  ["null", null],
])("%s has no cached text", (_what, value) => {
  expect(keptText(value)).toBeUndefined();
});
