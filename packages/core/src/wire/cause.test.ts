import { expect, test } from "vitest";
import { requestIdOf } from "./cause.ts";

test.each(["web-4711", "a/b:c+d=e@f.g_h", "x".repeat(128)])("%j is a request id", (text) => {
  expect(requestIdOf(text)).toBe(text);
});

test.each([undefined, null, "", "two words", "x".repeat(129), "<b>", "ä", "a\nb"])("%j is no request id", (text) => {
  expect(requestIdOf(text)).toBeUndefined();
});
