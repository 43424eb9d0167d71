import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../", import.meta.url);
const text = readFileSync(new URL("SECURITY.md", root), "utf8");

/** The lines below a heading, up to the next one. */
function section(heading: string): string {
  const [, rest = ""] = text.split(`\n## ${heading}\n`);
  return rest.split("\n## ", 1)[0] ?? "";
}

/** The bold words at the start of each promise, without a full stop. */
const promises = [...section("What the engine promises").matchAll(/^- \*\*([^*]+?)\.?\*\*/gm)].map(([, name]) => name);
const rows = [...section("Each promise and its test").matchAll(/^\| ([A-Z][^|]*?) \| (`.*`) \|$/gm)].map(
  ([, name, files = ""]) => ({
    name,
    files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
  }),
);

test("each promise has its row of tests, in the same order", () => {
  expect(promises.length).toBeGreaterThan(5);
  expect(rows.map(({ name }) => name)).toEqual(promises);
});

test("the files named in rows exist", () => {
  const missing = rows.flatMap(({ files }) => files.filter((file) => !existsSync(new URL(file, root))));
  expect(missing).toEqual([]);
  expect(rows.filter(({ files }) => files.length === 0)).toEqual([]);
});
