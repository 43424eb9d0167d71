import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { publishedFile } from "./published-file.ts";

const file = { beside: "./published-file.ts", package: "@signalbox/dashboard", inside: "README.md" };
const moved = { ...file, beside: "./elsewhere.txt" };

test("a published file is beside the module", () => {
  expect(publishedFile(import.meta.url, file).href).toBe(new URL("published-file.ts", import.meta.url).href);
});

test.each([
  ["was moved", import.meta.url],
  ["does not know its path", undefined],
])("the file of a module that %s is taken from the installed package", (_what, from) => {
  expect(fileURLToPath(publishedFile(from, moved))).toMatch(/dashboard[\\/]README\.md$/);
});

test("without an installed package, the error contains the remedy", () => {
  expect(() => publishedFile(undefined, { ...moved, package: "@signalbox/none" })).toThrow(
    "README.md of @signalbox/none is not here: keep the package out of the bundle (external), or install it where the bundle runs.",
  );
});
