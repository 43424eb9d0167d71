import { expect, test } from "vitest";
import { threadMs } from "../../../test/thread-time.ts";
import { compileGlob } from "./glob.ts";

test.each<[string, string, boolean]>([
  ["*", "a.txt", true],
  ["*", "", true],
  ["*.txt", "a.txt", true],
  ["*.txt", "a.TXT", false],
  ["*.txt", ".txt", true],
  ["*.txt", "a.txt.gz", false],
  ["a*c*e", "abcde", true],
  ["a*c*e", "abcdef", false],
  ["?.txt", "a.txt", true],
  ["?.txt", "☃.txt", true],
  ["?.txt", "ab.txt", false],
  ["report-[0-9].csv", "report-7.csv", true],
  ["report-[0-9].csv", "report-x.csv", false],
  ["[!a]*", "bcd", true],
  ["[!a]*", "abc", false],
  ["[a-c-]x", "-x", true],
  ["[", "[", true],
  ["[]", "[]", true],
  ["*.{csv,json}", "a.json", true],
  ["*.{csv,json}", "a.xml", false],
  ["{a,b}{1,2}", "b1", true],
  ["{a}", "{a}", true],
  ["a.b", "axb", false],
  ["(a|b)+", "(a|b)+", true],
  ["", "", true],
  ["", "a", false],
])("%j matches %j: %s", (pattern, name, expected) => {
  expect(compileGlob(pattern)(name)).toBe(expected);
});

test("no pattern takes long", () => {
  let isMatch = true;
  const processorMs = threadMs(() => {
    isMatch = compileGlob("*a".repeat(99).concat("b"))("a".repeat(255));
  });
  expect(isMatch).toBe(false);
  expect(processorMs).toBeLessThan(200);
});

test.each(["a".repeat(201), "{a,b}".repeat(5)])("a pattern that is too long is refused: %s", (pattern) => {
  expect(() => compileGlob(pattern)).toThrow("The pattern for names of files is too long.");
});
