import { describe, expect, test } from "vitest";
import { append, countOf, emptyLog, levelOf, piecesOf } from "./log-lines.ts";

describe("the pieces of a line", () => {
  test.each([
    ["plain", [["plain", ""]]],
    [
      "\x1b[31mred\x1b[0m rest",
      [
        ["red", "a-r"],
        [" rest", ""],
      ],
    ],
    ["\x1b[1;33mloud\x1b[22m\x1b[39m", [["loud", "a-y a-bold"]]],
    ["\x1b[38;5;200mpink\x1b[0m", [["pink", ""]]],
    ["\x1b[38;2;1;31;3mtrue", [["true", ""]]],
    ["10 %\r50 %\r100 %", [["100 %", ""]]],
    ["done\r", [["done", ""]]],
    ["\x1b]8;;http://a\x07link\x1b]8;;\x07", [["link", ""]]],
    ["\x1b[2K\x1b[1Gtext\x07", [["text", ""]]],
    ["<img src=x onerror=alert(1)>", [["<img src=x onerror=alert(1)>", ""]]],
  ])("%j", (line, pieces) => expect(piecesOf(line).map(({ text, style }) => [text, style])).toEqual(pieces));
});

test.each([
  ["12:00 WARN slow", "warn"],
  ["ERROR: broken", "err"],
  ["TypeError: x is undefined", "err"],
  ["no errors found", ""],
])("%s is of level %j", (line, level) => expect(levelOf(line)).toBe(level));

test("text comes in parts that end anywhere", () => {
  const log = ["on", "e\ntwo\nth", "ree\n"].reduce(append, emptyLog);
  expect(log.lines).toEqual(["one", "two", "three", ""]);
  expect(countOf(log)).toBe(3);
  expect(countOf(emptyLog)).toBe(0);
});
