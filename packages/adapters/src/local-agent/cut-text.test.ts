import fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint } from "../../../core/test/code-point.ts";
import { cutText } from "./cut-text.ts";

test.each([
  ["", 4, []],
  ["abcd", 4, ["abcd"]],
  ["abcde", 4, ["abcd", "e"]],
  ["abc😀d", 4, ["abc", "😀d"]],
  ["ab😀cd", 4, ["ab😀", "cd"]],
  ["abc\ud83d", 4, ["abc\ud83d"]],
])("%j in pieces of %i", (text, size, pieces) => {
  expect(cutText(text, size)).toEqual(pieces);
});

test("the pieces of any text are stored like the whole text", () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.integer({ min: 2, max: 7 }), (text, size) => {
      const pieces = cutText(text, size);
      expect(Buffer.concat(pieces.map((piece) => Buffer.from(piece)))).toEqual(Buffer.from(text));
      expect(Math.max(0, ...pieces.map(({ length }) => length))).toBeLessThanOrEqual(size);
    }),
  );
});
