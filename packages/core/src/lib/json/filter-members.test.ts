import { describe, expect, test } from "vitest";
import { filterMembers } from "./filter-members.ts";

describe("filterMembers", () => {
  test("keeps members by name or value, in their order", () => {
    const record = { b: 1, a: 2, c: undefined };
    expect(Object.entries(filterMembers(record, (name) => name !== "a"))).toEqual([
      ["b", 1],
      ["c", undefined],
    ]);
    expect(filterMembers(record, (_name, value) => value === 2)).toEqual({ a: 2 });
    expect(record).toEqual({ b: 1, a: 2, c: undefined });
  });

  test("never copies a prototype", () => {
    const hostile = JSON.parse('{"__proto__":{"admin":true},"a":1}');
    const kept = filterMembers(hostile, () => true);
    expect(Object.keys(kept)).toEqual(["a"]);
    expect((kept as { admin?: unknown }).admin).toBeUndefined();
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });

  test("reads records without a prototype", () => {
    expect(filterMembers(Object.assign(Object.create(null), { a: 1 }), () => true)).toEqual({ a: 1 });
  });
});
