import fc from "fast-check";
import { expect, test } from "vitest";
import { copyData } from "./copy-data.ts";

test("any plain data is copied unchanged, and shares nothing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const before = JSON.stringify(value);
      const copy = copyData(value);
      expect(JSON.stringify(copy)).toBe(before);
      scribble(copy);
      expect(JSON.stringify(value)).toBe(before);
    }),
  );
});

/** Modifies every list and every record. */
function scribble(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const member of Object.values(value)) scribble(member);
  if (Array.isArray(value)) value.push("more");
  else (value as Record<string, unknown>)["more"] = true;
}

test("a member called __proto__ stays a member", () => {
  const value: object = JSON.parse('{"__proto__":{"admin":true}}');
  const copy = copyData(value);
  expect(Object.keys(copy)).toEqual(["__proto__"]);
  expect((copy as { admin?: unknown }).admin).toBeUndefined();
});

test("values that are no plain data are passed on unchanged", () => {
  const when = new Date();
  expect(copyData({ when, none: undefined })).toEqual({ when, none: undefined });
  expect(copyData({ when }).when).toBe(when);
});
