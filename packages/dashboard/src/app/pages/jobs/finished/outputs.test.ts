import { expect, test } from "vitest";
import { needleOf } from "../../job/log/search.ts";
import { createLooker, SHOWN } from "./outputs.ts";

const look = (query: string, ...pieces: readonly string[]) => {
  const looker = createLooker(needleOf(query) as RegExp);
  for (const piece of pieces) looker.take(piece);
  return looker.end();
};

test.each([
  ["a line in one piece", ["one\ntwo\n"], [2], 1],
  ["a line over two pieces", ["one\ntw", "o\nthree"], [2], 1],
  ["the last line without its end", ["one\ntwo"], [2], 1],
  ["a line that ends as in Windows", ["two\r\none\r\n"], [1], 1],
  ["colours in the line", ["\u001b[31mt\u001b[0mwo\n"], [1], 1],
  ["nothing", ["one\nthree\n"], [], 0],
  ["no text at all", [""], [], 0],
] as const)("finds %s", (_what, pieces, numbers, count) => {
  const found = look("two", ...pieces);
  expect([found.lines.map((line) => line.number), found.count]).toEqual([numbers, count]);
});

test.each([
  ["a short line", "one two three", ["one ", "two", " three"]],
  [
    "a match beyond the shown length",
    `${"a".repeat(500)}two${"b".repeat(500)}`,
    [`…${"a".repeat(100)}`, "two", "b".repeat(297)],
  ],
  ["a match that ends there", `${"a".repeat(397)}two three`, ["a".repeat(397), "two", ""]],
] as const)("%s is shown around its first match", (_what, line, parts) => {
  expect(look("two", line).lines[0]?.parts).toEqual(parts);
});

test("the first few lines are kept, and all are counted", () => {
  const found = look("/o$/", "two\n".repeat(SHOWN + 7));
  expect([found.lines.length, found.count]).toEqual([SHOWN, SHOWN + 7]);
});
