import { expect, test } from "vitest";
import { orderedText } from "./json-text.ts";

test("members in another order, at any depth, make the same text; the order of a list counts", () => {
  const text = '{"a":[{"x":1,"y":2}],"b":null}';
  expect(orderedText({ b: null, a: [{ y: 2, x: 1 }], gone: undefined })).toBe(text);
  expect(orderedText({ a: [{ x: 1, y: 2 }], b: null })).toBe(text);
  expect(orderedText([2, 1])).not.toBe(orderedText([1, 2]));
});
