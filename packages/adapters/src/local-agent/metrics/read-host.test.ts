import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { firstNamesNow, readLines } from "./read-host.ts";

async function linesOf(text: string): Promise<{ lines: string[]; turns: number }> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "table");
  writeFileSync(path, text);
  const turns = await Array.fromAsync(readLines(path));
  return { lines: turns.flat(), turns: turns.length };
}

const ROWS = Array.from({ length: 20_000 }, (_, index) => `row ${index}`);

test.each<[string, string, readonly string[]]>([
  ["nothing", "", []],
  ["a line without an end", "one", ["one"]],
  ["lines", "one\ntwo\n", ["one", "two"]],
  ["a table of many turns", `${ROWS.join("\n")}\n`, ROWS],
  ["a table that ends with a turn", `${"x".repeat(65_535)}\n`, ["x".repeat(65_535)]],
  ["what is no table, up to its first line of a megabyte", `one\n${"x".repeat(2_000_000)}\n`, ["one"]],
])("the lines of %s are read", async (_name, text, expected) => {
  expect((await linesOf(text)).lines).toEqual(expected);
});

test("a large table leaves turns of the loop to others", async () => {
  expect((await linesOf(`${ROWS.join("\n")}\n`)).turns).toBeGreaterThan(2);
});

test("an absent table has no lines", async () => {
  expect(await Array.fromAsync(readLines(join(tmpdir(), "signalbox-absent", "table")))).toEqual([]);
});

test("the first names of a large folder are read, and none of an absent one", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (let index = 0; index < 600; index++) writeFileSync(join(folder, String(index)), "");
  expect(new Set(firstNamesNow(folder, 5000)).size).toBe(600);
  expect(new Set(firstNamesNow(folder, 300)).size).toBe(300);
  expect(firstNamesNow(join(folder, "absent"), 300)).toEqual([]);
});
