import { describe, expect, test } from "vitest";
import { createLines, createNewest, filterOf, rowOf } from "./rules.ts";

const LINE = '[1800000000.5][2027-01-15 08:00:00][box][42][Secret][debug][1][Using it][{"a":[["b"],["c"]]}]';

describe("a line of a log", () => {
  test("has nine columns, of which only the data may contain brackets", () => {
    expect(rowOf(LINE)).toEqual({
      ...{ hires_epoch: "1800000000.5", date: "2027-01-15 08:00:00", hostname: "box", pid: "42", component: "Secret" },
      ...{ category: "debug", code: "1", msg: "Using it", data: '{"a":[["b"],["c"]]}' },
    });
    expect(rowOf(LINE, ["msg", "code", "nothing"])).toEqual({ code: "1", msg: "Using it" });
  });

  test.each(["", "plain text", "[a][b]", "[a"])("of another form is a message: %j", (line) => {
    expect(rowOf(line)).toMatchObject({ msg: line, data: "", code: "" });
  });
});

describe("a match in a log", () => {
  test.each([
    ["", false, false, true],
    ["USING", false, false, true],
    ["USING", false, true, false],
    ["u.ing", true, false, true],
    ["U.ing", true, true, true],
    ["u.ing", true, true, false],
    ["\\[debug\\]", true, false, true],
    ["u.ing", false, false, false],
  ])("%j (regex %s, case %s) is %s", (match, regex, isExact, expected) => {
    expect(filterOf({ match, regex, isExact })([LINE])).toEqual(expected ? [LINE] : []);
  });

  test.each(["(", "[a", "a".repeat(1001)])("is no pattern: %s", (match) => {
    expect(() => filterOf({ match, regex: true, isExact: false })).toThrow();
  });
});

test.each([
  [["a\nb\n"], ["a", "b"]],
  [
    ["a", "b\nc"],
    ["ab", "c"],
  ],
  [["\n\n"], ["", ""]],
  [[""], []],
  [
    ["x".repeat(40_000), "x".repeat(40_000), "\ny\n"],
    ["x".repeat(65_536), "y"],
  ],
])("pieces are joined to lines", (pieces, expected) => {
  const lines = createLines();
  expect([...pieces.flatMap((piece) => lines.take(piece)), ...lines.rest()]).toEqual(expected);
});

test.each([
  [0, []],
  [2, [0, 1]],
  [3, [0, 1, 2]],
  [8, [5, 6, 7]],
])("the newest three of %d items are kept in order", (count, expected) => {
  const newest = createNewest<number>(3);
  for (let n = 0; n < count; n++) newest.add(n);
  expect(newest.list()).toEqual(expected);
});
