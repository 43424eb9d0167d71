import { expect, test } from "vitest";
import { fullFolders, isOfTests, longFiles, longFunctions } from "./sizes.mjs";

const filled = (count, indent = "  ") => Array.from({ length: count }, (_, at) => `${indent}step(${at});`);
const textOf = (...lines) => `${lines.flat().join("\n")}\n`;

test.each([
  ["packages/core/src/lib/secrecy/hash.ts", false],
  ["packages/core/src/lib/secrecy/hash.test.ts", true],
  ["packages/core/test/matrix/table.ts", true],
  ["packages/core/src/testing/fake-clock.ts", true],
  ["packages/core/src/fleet/alerts/operations/test.ts", false],
])("%s is only for tests: %s", (path, expected) => {
  expect(isOfTests(path)).toBe(expected);
});

test("a file may have 300 lines, not counting the end of the last one", () => {
  const files = [300, 301].map((lines) => ({ path: `${lines}`, text: textOf(filled(lines)) }));
  expect(longFiles(files)).toEqual(["301"]);
});

const HEADS = [
  ["a function", "export async function f(a: A): Promise<void> {", "}"],
  ["a function whose head takes lines", "function f({\n  a,\n  b,\n}: A): void {", "}"],
  ["a generator", "function* f() {", "}"],
  ["an arrow function", "const f = async (a: A): Promise<void> => {", "};"],
  ["an arrow function with a parameter of a type", "const f = <T>(a: T) => {", "};"],
  ["a function that another one holds", "  function f() {", "  }"],
  ["a method", "  async f(a) {", "  },"],
  ["a private method", "  #f(a) {", "  }"],
];

test.each(HEADS)("%s may have 40 lines, including head and end", (_what, head, end) => {
  const lines = 40 - head.split("\n").length - 1;
  const [fits, long] = [lines, lines + 1].map((count) => textOf(head, filled(count, "      "), end));
  expect(longFunctions({ path: "a.ts", text: fits })).toEqual([]);
  expect(longFunctions({ path: "a.ts", text: long })).toEqual(["a.ts:1"]);
});

test.each([
  ["comments and blank lines", ["function f() {", filled(38), "  // why", "", "}"]],
  ["what is handed to a call", ['test("a name", async () => {', filled(60), "});"]],
  ["an expression", ["const f = (a: A) =>", "  a.b;", filled(60, "")]],
  ["a statement", ["  if (a) {", filled(60, "    "), "  }"]],
  ["two short ones after each other", ["function f() {", filled(30), "}", "function g() {", filled(30), "}"]],
])("%s: not too long", (_what, lines) => {
  expect(longFunctions({ path: "a.ts", text: textOf(...lines) })).toEqual([]);
});

test("a folder has eight files beside their tests", () => {
  const eight = Array.from({ length: 8 }, (_, at) => `a/${at}.ts`);
  expect(fullFolders([...eight, "a/0.test.ts", "a/b/9.ts"])).toEqual([]);
  expect(fullFolders([...eight, "a/8.css"])).toEqual(["a"]);
});
