import { describe, expect, test } from "vitest";
import { columnsOf, isPlain, levelOf, piecesOf, textOf } from "./ansi.ts";

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
    ["\x1b[4;41mhot\x1b[24m", [["hot", "b-r a-ul"]]],
    ["\x1b[91;2mdim\x1b[22m", [["dim", "a-r a-dim"]]],
    ["10 %\r50 %\r100 %", [["100 %", ""]]],
    ["done\r", [["done", ""]]],
    ["\x1b]8;;javascript:alert(1)\x07link\x1b]8;;\x07", [["link", ""]]],
    ["\x1b[2K\x1b[1Gtext\x07", [["text", ""]]],
    ["<img src=x onerror=alert(1)>", [["<img src=x onerror=alert(1)>", ""]]],
  ])("%j", (line, pieces) => expect(piecesOf(line).map(({ text, style }) => [text, style])).toEqual(pieces));
});

test("colours of the large tables keep their hue", () => {
  const [pink, plain] = piecesOf("\x1b[38;5;200mpink\x1b[39mplain");
  expect(pink?.color).toContain("rgb(255 0 215)");
  expect(plain?.color).toBeUndefined();
  expect(piecesOf("\x1b[48;2;1;31;3mtrue")[0]?.background).toContain("rgb(1 31 3)");
  expect(piecesOf("\x1b[38;5;244mgrey")[0]?.color).toContain("rgb(128 128 128)");
  expect(piecesOf("\x1b[38;2;9999;-1;xmodd")[0]?.color ?? "").not.toContain("9999");
});

test("links lead only to http and https", () => {
  const link = (href: string) => piecesOf(`\x1b]8;;${href}\x07text\x1b]8;;\x07 on`).map((piece) => piece.href);
  expect(link("https://example.com/a")).toEqual(["https://example.com/a", undefined]);
  expect(link("javascript:alert(1)")).toEqual([undefined, undefined]);
  expect(link("data:text/html,x")).toEqual([undefined, undefined]);
});

test("the text is searched without its codes", () => {
  expect(textOf("\x1b[31mred\x1b[0m rest")).toBe("red rest");
  expect(textOf("a\rb")).toBe("b");
  expect(isPlain("a\tb")).toBe(true);
  expect(isPlain("a\x1b[0m")).toBe(false);
});

test.each([
  ["12:00 WARN slow", "warn"],
  ["ERROR: broken", "err"],
  ["TypeError: x is undefined", "err"],
  ["no errors found", ""],
])("%s is of level %j", (line, level) => expect(levelOf(line)).toBe(level));

test.each([
  ["abc", 3],
  ["漢字", 4],
  ["e\u0301", 1],
  ["한", 2],
  ["🙂", 2],
  ["Rösterei", 8],
])("%s takes %i columns", (text, columns) => expect(columnsOf(text)).toBe(columns));
