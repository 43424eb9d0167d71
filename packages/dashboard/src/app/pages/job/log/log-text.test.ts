import { describe, expect, test } from "vitest";
import { LogBuffer } from "./buffer.ts";
import { behind } from "./job-log.ts";
import { LogRows } from "./screen/rows.ts";
import { LogSearch, needleOf, neighbour, spansOf } from "./search.ts";

const never = () => false;
function bufferOf(...parts: readonly string[]): LogBuffer {
  const buffer = new LogBuffer();
  for (const part of parts) buffer.take(part, 0, never);
  return buffer;
}
const linesOf = (buffer: LogBuffer): string[] =>
  Array.from({ length: buffer.count - buffer.dropped }, (_, at) => buffer.line(buffer.dropped + at));

describe("the lines of a log", () => {
  test("text comes in parts that end anywhere", () => {
    expect(linesOf(bufferOf("on", "e\ntwo\nth", "ree\n"))).toEqual(["one", "two", "three"]);
    expect(linesOf(bufferOf("a\n\n", "\nb"))).toEqual(["a", "", "", "b"]);
    expect(bufferOf().count).toBe(0);
  });

  test("the level of a line that comes in two parts is counted once", () => {
    const buffer = bufferOf("ok\nERR", "OR: x\nWARN y\n");
    expect(buffer.marked).toEqual({ warn: [2], err: [1] });
    expect(bufferOf("ERROR: half", " more\n").marked.err).toEqual([0]);
  });

  test("reading ends when it is told to, and continues from there", () => {
    const buffer = new LogBuffer();
    const text = "line\n".repeat(1000);
    let at = buffer.take(text, 0, () => true);
    expect(buffer.count).toBeLessThan(100);
    while (at < text.length) at = buffer.take(text, at, () => true);
    expect(buffer.count).toBe(1000);
  });

  test("the oldest lines are dropped, and numbers stay", () => {
    const text = Array.from({ length: 300_100 }, (_, at) => (at % 1000 === 0 ? `ERROR: ${at}` : `line ${at}`));
    const buffer = bufferOf(text.join("\n"));
    expect([buffer.count, buffer.dropped]).toEqual([300_100, 30_000]);
    expect(buffer.line(299_999)).toBe("line 299999");
    expect(buffer.marked.err[0]).toBe(30_000);
    expect(buffer.level(31_000)).toBe("err");
  });
});

describe("rows on the screen", () => {
  const long = "x".repeat(25);
  test.each([
    ["not wrapped", 0, 4, [0, 1, 2, 3]],
    ["wrapped at ten columns", 10, 6, [0, 1, 4, 5]],
    ["wrapped at five", 5, 8, [0, 1, 6, 7]],
  ])("%s", (_fact, width, total, first) => {
    const rows = new LogRows(bufferOf(`a\n${long}\n\nb\n`), width);
    expect(rows.total).toBe(total);
    expect([0, 1, 2, 3].map((line) => rows.rowOf(line))).toEqual(first);
    for (const [line, row] of first.entries()) expect(rows.at(row)).toEqual({ line, row: 0 });
  });

  test("each of many rows belongs to the line that it was counted for", () => {
    const buffer = bufferOf(Array.from({ length: 5000 }, (_, at) => "y".repeat(at % 37)).join("\n"));
    const rows = new LogRows(buffer, 10);
    let row = 0;
    for (let line = 0; line < 5000; line += 1) {
      if (line % 97 === 0) expect([rows.rowOf(line), rows.at(row).line]).toEqual([row, line]);
      row += rows.heightOf(line);
    }
    expect(rows.total).toBe(row);
  });

  test("later lines are counted, also after an open one", () => {
    const buffer = bufferOf("a\nbbbb");
    const rows = new LogRows(buffer, 4);
    buffer.take("bbbb\ncc\n", 0, never);
    rows.refresh();
    rows.refresh();
    expect(rows.total).toBe(1 + 2 + 1);
    expect(rows.at(3)).toEqual({ line: 2, row: 0 });
  });
});

describe("search", () => {
  const buffer = bufferOf("Alpha\n\x1b[31mbeta\x1b[0m gamma\nalpha beta\nDELTA\n");
  const found = (query: string): number[] => {
    const needle = needleOf(query);
    if (!needle) return [];
    const search = new LogSearch(buffer, needle);
    search.step(never);
    return search.found;
  };
  test.each([
    ["alpha", [0, 2]],
    ["Alpha", [0]],
    ["beta gamma", [1]],
    ["/^alpha/", [2]],
    ["/^alpha/i", [0, 2]],
    ["/\\b[a-d]eta\\b/", [1, 2]],
    ["(", []],
    ["", []],
  ])("%s", (query, lines) => expect(found(query)).toEqual(lines));

  test("an invalid pattern is refused", () => expect(() => needleOf("/(/")).toThrow(SyntaxError));

  test("the next match after the last is the first", () => {
    expect(neighbour([2, 5, 9], 5, 1)).toBe(9);
    expect(neighbour([2, 5, 9], 9, 1)).toBe(2);
    expect(neighbour([2, 5, 9], 2, -1)).toBe(9);
    expect(neighbour([2, 5, 9], 6, -1)).toBe(5);
    expect(neighbour([], 6, -1)).toBeUndefined();
  });

  test("places of a match; an empty one marks nothing", () => {
    expect(spansOf("abcabc", needleOf("bc"))).toEqual([
      { from: 1, to: 3 },
      { from: 4, to: 6 },
    ]);
    expect(spansOf("aaa", needleOf("/b*/"))).toEqual([]);
  });
});

test.each([
  ["all of it", 4, "two\nthree\n", 14, "two\nthree\n"],
  ["the unknown part", 8, "two\nthree\n", 14, "three\n"],
  ["nothing, where it was known", 14, "two\nthree\n", 14, ""],
  ["nothing, where more was known", 20, "two\n", 8, ""],
  ["the same line again", 8, "two\n", 12, "two\n"],
  ["the unknown part, by its bytes", 2, "éé", 4, "é"],
  ["a note of the server, which is no part of the log", 8, "[5 bytes]", undefined, "[5 bytes]"],
])("a piece adds %s", (_what, known, text, end, rest) => expect(behind(known, { text, end })).toBe(rest));
