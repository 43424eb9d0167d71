import { describe, expect, test } from "vitest";
import * as z from "zod";
import { csv, Flag, flag, Id, number, optionalFlag, pageNumber, sentPrivileges, Title, WordId } from "./fields.ts";

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

describe("patterns", () => {
  test.each<[string, z.ZodType, readonly unknown[], readonly unknown[]]>([
    ["Id", Id, ["a", "a_1", "0x"], ["", "A", "a-b", "a b", "a\n", 5]],
    ["WordId", WordId, ["A", "a_1"], ["", "a-b", "ä", "a\n"]],
    ["Title", Title, ["a", " a "], ["", " ", "\n\t", 5]],
    ["Flag", Flag, [true, false, 0, 1, 7], ["true", "1", null, []]],
  ])("%s", (_name, schema, good, bad) => {
    for (const value of good) expect([value, accepts(schema, value)]).toEqual([value, true]);
    for (const value of bad) expect([value, accepts(schema, value)]).toEqual([value, false]);
  });
});

describe("flag", () => {
  test.each([
    [true, true],
    [1, true],
    ["true", true],
    ["1", true],
    [false, false],
    [0, false],
    ["false", false],
    ["0", false],
    ["", false],
  ])("reads %j as %s", (value, expected) => {
    expect(flag().parse(value)).toBe(expected);
  });

  test.each([2, "yes", "TRUE", null, [], {}])("refuses %j", (value) => {
    expect(accepts(flag(), value)).toBe(false);
  });
});

test.each([undefined, null])("an optional flag treats %j as absent", (value) => {
  expect(optionalFlag().parse(value)).toBeUndefined();
  expect(accepts(optionalFlag(), "yes")).toBe(false);
});

describe("number", () => {
  test.each([
    [5.5, 5.5],
    ["5", 5],
    [" 12 ", 12],
    ["-3", -3],
    ["+3", 3],
    ["5.9", 5],
    ["12abc", 12],
  ])("reads %j as %d", (value, expected) => {
    expect(number().parse(value)).toBe(expected);
  });

  test.each(["", "abc", null, undefined, true, []])("refuses %j", (value) => {
    expect(accepts(number(), value)).toBe(false);
  });
});

describe("csv", () => {
  test.each<[unknown, string[]]>([
    ["a,b, c", ["a", "b", "c"]],
    ["", []],
    [",a,,b,", ["a", "b"]],
    [["a,b"], ["a,b"]],
    [[], []],
  ])("reads %j", (value, expected) => {
    expect(csv(z.string()).parse(value)).toEqual(expected);
  });

  test("refuses other types and wrong items", () => {
    expect(accepts(csv(z.string()), 5)).toBe(false);
    expect(accepts(csv(Id), "a,B")).toBe(false);
  });

  test("refuses a list of more than a thousand elements without reading them", () => {
    const looked: unknown[] = [];
    const counting = csv(z.unknown().transform((item) => looked.push(item)));
    const list = Array.from({ length: 1001 }, (_, n) => `word${n}`);
    expect([accepts(counting, list.slice(1)), looked.splice(0).length]).toEqual([true, 1000]);
    for (const long of [list, list.join(), ",".repeat(1001)]) expect(accepts(counting, long)).toBe(false);
    expect(looked).toEqual([]);
  });
});

describe("pageNumber", () => {
  test.each([
    [5, 5],
    ["5", 5],
    [5.9, 5],
    [0, 0],
    [10_001, 10_000],
    [-1, 25],
    ["x", 25],
    [undefined, 25],
    [null, 25],
    [Number.NaN, 25],
    [Number.POSITIVE_INFINITY, 25],
    [{ toString: 1 }, 25],
    [Object.create(null), 25],
  ])("reads %j as %d", (value, expected) => {
    expect(pageNumber(25).parse(value)).toBe(expected);
  });
});

describe("sent privileges", () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, true]));

  test.each([{}, { a: true, b: 0 }, many(1000)])("may be %j", (value) => {
    expect(sentPrivileges().parse(value)).toEqual(value);
  });

  test.each([undefined, null, [], "a", { a: "true" }, { ["x".repeat(65)]: true }, many(1001)])(
    "refuses %j",
    (value) => {
      expect(accepts(sentPrivileges().optional(), value ?? null)).toBe(false);
    },
  );
});
