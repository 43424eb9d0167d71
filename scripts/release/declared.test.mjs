import { expect, test } from "vitest";
import { missing, reachable, withoutTypes } from "./declared.mjs";

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
  ["a missing entry point", ["gone.d.ts"], ""],
])("%s: leads to these declarations", (_what, entries, names) => {
  const reached = [...reachable(entries, (file) => FILES[file])].map((file) => file.replace(".d.ts", ""));
  expect(reached.toSorted().join(" ")).toBe(names.split(" ").toSorted().join(" "));
});

test("a declaration that another one needs must exist", () => {
  const read = (file) => FILES[file];
  const whole = ["index.d.ts", "a.d.ts", "deep/b.d.ts", "widens.d.ts", "widened.d.ts", "not-there.d.ts"];
  expect(missing(["index.d.ts", "index.js"], read)).toEqual(["index.d.ts needs a.d.ts, which is not published."]);
  expect(missing(whole, (file) => FILES[file] ?? "")).toEqual([]);
});

test("packages that declarations name are dependencies, with their separately published types", () => {
  const text = `
    /** import { a } from "only-in-a-comment"; */
    import type pg from "pg";
    import { A } from "@acme/a/deep"; import { join } from "node:path"; import fs from "fs";
    declare const b: import("kysely").B | import("./own.ts").C | import("@acme/self").D;`;
  const faults = (manifest) => withoutTypes([text], { name: "@acme/self", ...manifest }, (name) => name === "pg");
  expect(faults({ dependencies: { pg: "8" }, peerDependencies: { "@acme/a": "1" } })).toEqual([
    "@acme/self: its declarations need @types/pg, which is no dependency.",
    "@acme/self: its declarations need kysely, which is no dependency.",
  ]);
  const dependencies = { "@acme/a": "1", "@types/pg": "8", kysely: "0", pg: "8" };
  expect(faults({ dependencies })).toEqual([]);
});
