import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoint } from "../../../../test/code-point.ts";
import { checkBlobKey } from "../../../lib/files/blob-key.ts";
import { cleanFilename, fileKey, plainFilename } from "./names.ts";

describe("the key of a path", () => {
  test.each([
    ["jobs/j1/Abc-_9/report.csv", "files/jobs/j1/Abc-_9/report.csv"],
    ["a/café ☕.txt", "files/a/cafe.txt"],
    ["..a/b..c", "files/..a/b..c"],
  ])("%s is read as %s", (path, key) => {
    expect(fileKey(path)).toBe(key);
  });

  test.each([
    ...["", "/", "a//b", "/a", "a/", ".", "..", "a/../b", "../../etc/passwd", "a/./b", "..."],
    ...[
      "a\\b",
      "a\0b",
      "☕",
      "a/☕/b",
      "．．/secret",
      `a/${"x".repeat(1100)}`,
      `a/${"x".repeat(256)}`,
      `${"x".repeat(256)}/a`,
      "x".repeat(5000),
    ],
  ])("%j is no path", (path) => {
    expect(fileKey(path)).toBeUndefined();
  });

  test("stays below files/ and is always accepted by a store", () => {
    const piece = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 12 }),
      fc.constantFrom("..", ".", "/", "\\", "%2e", "a", "／"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.constantFrom("/", ""), (pieces, joint) => {
        const key = fileKey(pieces.join(joint));
        if (key === undefined) return;
        checkBlobKey(key);
        expect(key.startsWith("files/")).toBe(true);
      }),
    );
  });
});

describe("the name of a stored file", () => {
  test.each([
    ["report.csv", "report.csv"],
    ["My Report (1).CSV", "my_report__1_.csv"],
    ["README", "readme.bin"],
    ["../../etc/passwd", "passwd.bin"],
    ["é.txt", "_.txt"],
    ["a.", "a..bin"],
    ["…", "_.bin"],
  ])("%s becomes %s", (given, name) => {
    expect(cleanFilename(given)).toBe(name);
  });

  test("fits into a key for any text, and never consists of dots or lacks an ending", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 400 }), (name) => {
        for (const clean of [cleanFilename(name), plainFilename(name)]) {
          checkBlobKey(`files/jobs/j1/x/${clean}`);
          expect(clean).toMatch(/\.\w+$/);
        }
      }),
    );
  });

  test.each([
    ["Report.CSV", "Report.CSV"],
    ["a/b/My File.txt", "My_File.txt"],
    ["..", "...bin"],
    ["日本語.txt", "___.txt"],
  ])("%s keeps its letters as %s", (given, name) => {
    expect(plainFilename(given)).toBe(name);
  });
});
