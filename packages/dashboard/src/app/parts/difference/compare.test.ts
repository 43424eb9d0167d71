import { expect, test } from "vitest";
import { compare, compareLines, nearChanges } from "./compare.ts";

test("different members are listed with their path, also within lists", () => {
  const before = { title: "A", revision: 1, params: { a: 1, b: 2 }, limits: [{ type: "job", amount: 1 }], tags: ["x"] };
  const after = {
    title: "B",
    revision: 2,
    params: { a: 1, b: 3 },
    limits: [{ type: "job", amount: 2 }, { type: "log" }],
    tags: ["x", "y"],
  };
  expect(compare(before, after, new Set(["revision"]))).toEqual([
    { path: ["title"], before: "A", after: "B" },
    { path: ["params", "b"], before: 2, after: 3 },
    { path: ["limits", "1", "amount"], before: 1, after: 2 },
    { path: ["limits", "2"], before: undefined, after: { type: "log" } },
    { path: ["tags"], before: ["x"], after: ["x", "y"] },
  ]);
});

test.each([
  [{ notes: "" }, {}, 0],
  [{ notes: null, list: [] }, { notes: "" }, 0],
  [{ on: false }, {}, 1],
  [{ on: 0 }, { on: "" }, 1],
])("%o and %o differ in %i members", (before, after, count) => {
  expect(compare(before, after)).toHaveLength(count);
});

test("texts are compared line by line", () => {
  const lines = compareLines("a\nb\nc\nd", "a\nc\nx\nd");
  expect(lines.map(({ sign, text }) => sign + text)).toEqual([" a", "-b", " c", "+x", " d"]);
});

test("only the surroundings of a change in a long text are kept", () => {
  const text = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");
  const shown = nearChanges(compareLines(text, text.replace("line 10", "other")));
  expect(shown.map((line) => line && line.sign + line.text)).toEqual([
    ...[" line 8", " line 9", "-line 10", "+other", " line 11", " line 12", undefined],
  ]);
});
