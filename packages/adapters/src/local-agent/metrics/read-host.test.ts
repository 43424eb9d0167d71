import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endOfLine, firstNamesNow, keptOpen, numbersAt, readLines } from "./read-host.ts";

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
  ["a table read in many turns", `${ROWS.join("\n")}\n`, ROWS],
  ["a table that ends with a turn", `${"x".repeat(65_535)}\n`, ["x".repeat(65_535)]],
  ["a file that is no table, up to its first line of a megabyte", `one\n${"x".repeat(2_000_000)}\n`, ["one"]],
])("the lines of %s are read", async (_name, text, expected) => {
  expect((await linesOf(text)).lines).toEqual(expected);
});

test("reading a large table yields to the loop", async () => {
  expect((await linesOf(`${ROWS.join("\n")}\n`)).turns).toBeGreaterThan(2);
});

test("an absent table has no lines", async () => {
  expect(await Array.fromAsync(readLines(join(tmpdir(), "signalbox-absent", "table")))).toEqual([]);
});

test("the first names of a large folder are read, and no names of a missing one", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (let index = 0; index < 600; index++) writeFileSync(join(folder, String(index)), "");
  expect(new Set(firstNamesNow(folder, 5000)).size).toBe(600);
  expect(new Set(firstNamesNow(folder, 300)).size).toBe(300);
  expect(firstNamesNow(join(folder, "absent"), 300)).toEqual([]);
});

test("a table that stays open is read in its present state and length, also after it was closed", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-table-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "table");
  const table = keptOpen(path);
  const read = (text: string): string => {
    writeFileSync(path, text);
    return table.read();
  };
  expect(table.read()).toBe("");
  for (const text of ["one\n", "", "x".repeat(16_383), "x".repeat(16_384), "x".repeat(100_000), "two\n"])
    expect(read(text)).toBe(text);
  table.close();
  expect(read("three\n")).toBe("three\n");
});

test.skipIf(platform() !== "linux")("a table is opened once, and closed at the end", () => {
  const opened = (): number => readdirSync("/proc/self/fd").length;
  const before = opened();
  const table = keptOpen("/proc/loadavg");
  for (let readings = 0; readings < 10; readings++) expect(Number.parseFloat(table.read())).toBeGreaterThanOrEqual(0);
  expect(opened()).toBe(before + 1);
  table.close();
  table.read();
  expect(opened()).toBe(before);
});

test.each<[string, number, readonly number[]]>([
  ["", 0, []],
  ["cpu  1 0 23\n4", 3, [1, 0, 23]],
  ["MemTotal:       24684084 kB\n", 9, [24_684_084]],
  ["  eth0:5 1", 7, [5, 1]],
  ["btime 1795259935", 6, [1_795_259_935]],
  ["x 9007199254740991", 1, [9_007_199_254_740_991]],
])("the numbers of %j from place %d are read to the end of the line", (text, place, expected) => {
  expect(numbersAt(text, place)).toEqual(expected);
});

test.each<[string, number, number]>([
  ["one\ntwo", 0, 3],
  ["one\ntwo", 4, 7],
  ["", 0, 0],
])("in %j the line at place %d ends at %d", (text, place, expected) => {
  expect(endOfLine(text, place)).toBe(expected);
});
