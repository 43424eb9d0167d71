import { describe, expect, test } from "vitest";
import { largestCircle } from "./circles.mjs";
import { domainOfFile, goesUp } from "./floors.mjs";
import { countLines, importsOf } from "./source.mjs";

describe("the largest import cycle", () => {
  test.each([
    ["no edges", [], 0],
    ["a chain", ["ab", "bc", "cd"], 0],
    ["a file that imports itself", ["aa"], 0],
    ["a pair", ["ab", "ba"], 2],
    ["the larger one of two", ["ab", "ba", "cd", "de", "ec"], 3],
    ["two that share a node are one", ["ab", "ba", "bc", "cb"], 3],
    ["a path into a circle is no part of it", ["ab", "bc", "cb", "bd"], 2],
  ])("%s", (_what, edges, expected) => {
    expect(largestCircle(edges.map((edge) => [...edge]))).toBe(expected);
  });

  test("is found behind a long chain", () => {
    const chain = Array.from({ length: 50_000 }, (_, at) => [at, at + 1]);
    expect(largestCircle([...chain, [50_000, 49_998]])).toBe(3);
  });
});

test.each([
  ["desk/tickets/links/service.ts", "desk/tickets"],
  ["desk/notes.ts", undefined],
  ["kernel/plugins/plugin.ts", undefined],
  ["../../adapters/src/log/log.ts", undefined],
])("the domain of %s is %s", (path, expected) => {
  expect(domainOfFile(path)).toBe(expected);
});

test.each([
  ["fleet/alerts", "work/jobs", true],
  ["directory/tags", "desk/mail", true],
  ["work/jobs", "fleet/alerts", false],
  ["work/jobs", "work/events", false],
])("%s goes up when it imports %s: %s", (domain, imported, expected) => {
  expect(goesUp(domain, imported)).toBe(expected);
});

test.each([
  ["blank lines and comments are not counted", "/** a\n * b */\nconst a = 1;\n\n  // c\nconst b = 2;\n", 2],
  ["a comment behind code leaves the line", "const a = 1; // why\n", 1],
])("%s", (_what, text, expected) => {
  expect(countLines(text)).toBe(expected);
});

test("imports of a file include types and lazy ones", () => {
  const text = [
    'import * as z from "zod";',
    'import type { A } from "./a.ts";',
    "import {",
    "  b,",
    '} from "../b/index.ts";',
    'export { c } from "./c.ts";',
    'const d = await import("./d.ts");',
  ].join("\n");
  expect(importsOf("/src/x/file.ts", text)).toEqual(["/src/x/a.ts", "/src/b/index.ts", "/src/x/c.ts", "/src/x/d.ts"]);
});
