import { expect, test } from "vitest";
import { missing, reachable } from "./declared.mjs";

const FILES = {
  "index.d.ts": 'export { a } from "./a.ts";',
  "a.d.ts": 'export declare const a: import("./deep/b.ts").B;',
  "deep/b.d.ts": 'import "../widens.ts"; export interface B {}',
  "widens.d.ts": 'declare module "./widened.ts" { interface Map {} }',
  "widened.d.ts": 'import type { A } from "./a.ts"; // "./not-there.ts"',
  "private.d.ts": 'import { a } from "./a.ts";',
};

test.each([
  [
    "an import, a type, an import without names, a widened module, a circle",
    ["index.d.ts"],
    "index a deep/b widens widened",
  ],
  ["every entry point", ["private.d.ts", "widened.d.ts"], "private widened a deep/b widens"],
  ["an entry point that is not there", ["gone.d.ts"], ""],
])("%s: leads to these declarations", (_what, entries, names) => {
  const reached = [...reachable(entries, (file) => FILES[file])].map((file) => file.replace(".d.ts", ""));
  expect(reached.toSorted().join(" ")).toBe(names.split(" ").toSorted().join(" "));
});

test("a declaration that another one needs must be there", () => {
  const read = (file) => FILES[file];
  const whole = ["index.d.ts", "a.d.ts", "deep/b.d.ts", "widens.d.ts", "widened.d.ts", "not-there.d.ts"];
  expect(missing(["index.d.ts", "index.js"], read)).toEqual(["index.d.ts needs a.d.ts, which is not published."]);
  expect(missing(whole, (file) => FILES[file] ?? "")).toEqual([]);
});
