import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resultCode, resultConditions } from "./result-code.ts";

describe("a result code", () => {
  test.each<[unknown, number | string]>([
    [undefined, 0],
    [null, 0],
    [false, 0],
    ["", 0],
    [0, 0],
    [1, 1],
    [-1, -1],
    [137, 137],
    ["warning", "warning"],
    ["CRITICAL", "critical"],
    ["Abort", "abort"],
    ["0", "0"],
    ["Not Found!", "not_found_"],
    ["a--b", "a_b"],
    ["Ünder", "_nder"],
    [true, "unknown"],
    [{}, "unknown"],
    [[], "unknown"],
    [Number.NaN, "unknown"],
    [Number.POSITIVE_INFINITY, "unknown"],
  ])("%o is %o", (sent, code) => {
    expect(resultCode(sent)).toBe(code);
  });

  test("of any kind is a finite number or a short word, and stays the same when read again", () => {
    fc.assert(
      fc.property(fc.anything(), (sent) => {
        const code = resultCode(sent);
        if (typeof code === "number") expect(Number.isFinite(code)).toBe(true);
        else expect(code).toMatch(/^\w{1,64}$/);
        expect(resultCode(code)).toBe(code);
      }),
    );
    expect(String(resultCode("x".repeat(1_000_000)))).toHaveLength(64);
  });
});

describe("the conditions of a result", () => {
  test.each<[number | string, string[]]>([
    [0, ["complete", "success"]],
    ["warning", ["complete", "error", "warning"]],
    ["critical", ["complete", "error", "critical"]],
    ["abort", ["complete", "error", "abort"]],
    [1, ["complete", "error", "user"]],
    ["unknown", ["complete", "error", "user"]],
  ])("%o are %o", (code, conditions) => {
    expect(resultConditions(code, [])).toEqual(conditions);
  });

  test("have tags last, in their order", () => {
    expect(resultConditions(0, ["b", "a"])).toEqual(["complete", "success", "tag:b", "tag:a"]);
  });
});
