import { describe, expect, test } from "vitest";
import type { Limit } from "../../../../wire/entries/actions-and-limits.ts";
import { allowedFiles } from "./input-files.ts";

const file = (filename: unknown, size = 10) => ({ id: "f1", filename, path: `files/x/${String(filename)}`, size });
const files = [file("a.csv"), file("b.txt"), file("C.CSV"), file("d.json")];
const names = (list: readonly unknown[]): unknown[] => list.map((each) => (each as { filename: unknown }).filename);
const limit = (members: Record<string, unknown>): Limit => ({ enabled: true, type: "file", ...members });

describe("input files of a job that starts", () => {
  test.each<[string, Limit[], string[], number]>([
    ["without a limit", [], ["a.csv", "b.txt", "C.CSV", "d.json"], 0],
    ["an empty limit", [limit({})], ["a.csv", "b.txt", "C.CSV", "d.json"], 0],
    ["amount 2", [limit({ amount: 2 })], ["a.csv", "b.txt"], 1],
    ["amount 0", [limit({ amount: 0 })], [], 1],
    ["amount null", [limit({ amount: null })], ["a.csv", "b.txt", "C.CSV", "d.json"], 0],
    ["a total of 25 bytes", [limit({ size: 25 })], ["a.csv", "b.txt"], 1],
    ["a total of exactly 20 bytes", [limit({ size: 20 })], ["a.csv", "b.txt"], 1],
    ["endings in any letters", [limit({ accept: ".csv, .JSON" })], ["a.csv", "C.CSV", "d.json"], 1],
    ["number before endings", [limit({ amount: 2, accept: ".csv" })], ["a.csv"], 2],
    ["a disabled limit", [limit({ enabled: false, amount: 0 })], ["a.csv", "b.txt", "C.CSV", "d.json"], 0],
    ["only the first limit", [limit({ amount: 3 }), limit({ amount: 1 })], ["a.csv", "b.txt", "C.CSV"], 1],
  ])("%s", (_name, limits, expected, rows) => {
    const { files: kept, notes } = allowedFiles(files, limits);
    expect(names(kept)).toEqual(expected);
    expect(notes).toHaveLength(rows);
  });

  test.each(["../evil", "a/b", "a\\b", ".", "..", "", "a\u0000b", "a\nb", 5, null, undefined, {}])(
    "the name %o is sent to no agent",
    (name) => {
      expect(allowedFiles([file(name), file("good.txt")], [])).toEqual({
        files: [file("good.txt")],
        notes: ["WARNING: Ignoring 1 input files without a proper name"],
      });
    },
  );

  test.each([
    ...["logs/jobs/j1/log.txt.gz", "files/../logs/x", "files//x", "files/", "//example.com/x", "api/app/x?files/"],
    ...["files/a b", 5, undefined, `files/x\u0000`],
  ])("the path %o is sent to no agent", (path) => {
    expect(allowedFiles([{ ...file("evil.txt"), path }, file("good.txt")], [])).toEqual({
      files: [file("good.txt")],
      notes: ["WARNING: Ignoring 1 input files that are not stored here"],
    });
  });

  test.each([null, "text", 5, []])("%o is no file", (entry) => {
    expect(allowedFiles([entry], [limit({ size: 1, accept: ".x" })]).files).toEqual([]);
  });
});
