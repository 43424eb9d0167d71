import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { afterBytes, firstBytes, lastBytes, piecesOf } from "./log-text.ts";

describe("firstBytes", () => {
  test.each([
    ["abc", 5, "abc"],
    ["abc", 2, "ab"],
    ["abc", 0, ""],
    ["aä", 2, "a"],
    ["aä", 3, "aä"],
    ["a😀", 4, "a"],
  ])("the first bytes of %j, %i of them, are %j", (text, bytes, expected) => {
    expect(firstBytes(text, bytes)).toBe(expected);
  });
});

describe("afterBytes", () => {
  test.each([
    ["abc", -1, "abc"],
    ["abc", 0, "abc"],
    ["abc", 2, "c"],
    ["äb", 2, "b"],
    ["abc", 9, ""],
  ])("%j after %i bytes is %j", (text, bytes, expected) => {
    expect(afterBytes(text, bytes)).toBe(expected);
  });
});

describe("lastBytes", () => {
  test.each([
    ["one\ntwo\n", 100, "one\ntwo\n"],
    ["one\ntwo\n", 8, "one\ntwo\n"],
    ["one\ntwo\n", 5, "two\n"],
    // The cut coincides with the beginning of a line, so that line is complete.
    ["one\ntwo\n", 4, "two\n"],
    ["one\ntwo\n", 3, ""],
    ["oneline", 3, "ine"],
    ["xä", 1, ""],
    ["1😀2", 4, "2"],
  ])("the last bytes of %j, %i of them, are %j", (text, bytes, expected) => {
    expect(lastBytes(text, bytes)).toBe(expected);
  });

  test("are an end of the text without a torn character, within the bytes", () => {
    void fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, bytes) => {
        const end = lastBytes(text, bytes);
        expect(text.endsWith(end)).toBe(true);
        expect(Buffer.byteLength(end)).toBeLessThanOrEqual(bytes);
      }),
    );
  });
});

describe("piecesOf", () => {
  test("pieces are small, tear no character and add up to the text", () => {
    void fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 9 }), (text, characters) => {
        const pieces = piecesOf(text, characters);
        expect(pieces.join("")).toBe(text);
        expect(pieces.every(({ length }) => length > 0 && length <= characters)).toBe(true);
        expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });
});
