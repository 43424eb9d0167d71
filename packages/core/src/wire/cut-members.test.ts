import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoint } from "../../test/code-point.ts";
import { cutMembers } from "./cut-members.ts";

describe("members removed from the text of an object", () => {
  test.each([
    ["{}", "{}", {}],
    ['{"a":1}', "{}", { a: "1" }],
    ['{"c":1}', '{"c":1}', {}],
    ['{"a":1,"c":2}', '{"c":2}', { a: "1" }],
    ['{"c":2,"a":1}', '{"c":2}', { a: "1" }],
    ['{"c":1,"a":2,"d":3,"b":[4],"e":5}', '{"c":1,"d":3,"e":5}', { a: "2", b: "[4]" }],
    ['{"a":1,"b":2,"c":3}', '{"c":3}', { a: "1", b: "2" }],
    ['{"aa":1,"":2}', '{"aa":1,"":2}', {}],
    ['{"c":{"a":1},"d":[{"b":2}]}', '{"c":{"a":1},"d":[{"b":2}]}', {}],
    [String.raw`{"c":",\"a\":1,","a":"\\"}`, String.raw`{"c":",\"a\":1,"}`, { a: String.raw`"\\"` }],
  ])("%s", (json, rest, cut) => {
    expect(cutMembers(json, ["a", "b"])).toEqual({ rest, cut });
  });

  test("equal the object's own, and the others stay unchanged", () => {
    const name = fc.oneof(fc.constantFrom("a", "b", "c", "__proto__"), fc.string({ unit: codePoint }));
    const members = fc.dictionary(name, fc.jsonValue(), { noNullPrototype: true });
    fc.assert(
      fc.property(members, (object) => {
        const { a, b, ...others } = object;
        const { rest, cut } = cutMembers(JSON.stringify(object), ["a", "b"]);
        expect(rest).toBe(JSON.stringify(others));
        expect(cut).toEqual(JSON.parse(JSON.stringify({ a: JSON.stringify(a), b: JSON.stringify(b) })));
      }),
    );
  });
});
