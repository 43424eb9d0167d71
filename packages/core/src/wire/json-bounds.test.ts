import { describe, expect, test } from "vitest";
import { isOverJsonBounds } from "./json-bounds.ts";

describe("bounds of JSON text", () => {
  const bounds = { depth: 3, members: 10, width: 4 };
  test.each([
    ['{"a":1,"b":2,"c":3,"d":4}', false],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5}', true],
    ["[1,2,3,4,5,6,7,8,9,10]", false],
    ["[1,2,3,4,5,6,7,8,9,10,11]", true],
    ['[{"a":1,"b":2,"c":3},{"a":1,"b":2,"c":3}]', false],
    ['{"a":{"a":1,"b":2,"c":3},"b":[1,2,3,4],"c":3}', false],
    ['{"a":[1,2],"b":[1,2],"c":[1],"d":[],"e":1}', true],
    ['[{"a":[1,2,3,4,5,6]}]', false],
    ["[[[[1]]]]", true],
    [`{"a":"${",".repeat(20)}","b":"\\",,,,,,"}`, false],
  ])("%s: %s", (text, expected) => {
    expect(isOverJsonBounds(text, bounds)).toBe(expected);
  });

  test("an object without a bound of its own may have as many members as all together", () => {
    expect(isOverJsonBounds('{"a":1,"b":2,"c":3,"d":4,"e":5}', { depth: 3, members: 10 })).toBe(false);
  });
});
