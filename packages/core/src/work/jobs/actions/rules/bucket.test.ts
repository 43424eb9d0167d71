import { describe, expect, test } from "vitest";
import { amountText, meantOutput, partsOf, withFiles } from "./bucket.ts";

test.each<[object, boolean, boolean]>([
  [{ bucket_sync: "data" }, true, false],
  [{ bucket_sync: "files" }, false, true],
  [{ bucket_sync: "data_and_files" }, true, true],
])("the action %j handles data: %s, and files: %s", (action, data, files) => {
  expect(partsOf({ ...action })).toMatchObject({ data, files });
});

test.each<[unknown, string, boolean]>([
  [undefined, "a.txt", true],
  ["", "a.txt", true],
  ["*.csv", "a.txt", false],
])("the pattern %j matches %s: %s", (bucket_glob, filename, expected) => {
  expect(partsOf({ bucket_glob }).isMeant(filename)).toBe(expected);
});

describe("meantOutput", () => {
  const parts = partsOf({ bucket_sync: "files", bucket_glob: "*.txt" });
  const at = (path: string, filename: unknown = "a.txt") => [{ filename, path }];

  test("returns files of the job's own folder", () => {
    expect(meantOutput(at("files/jobs/j1/x/a.txt"), "j1", parts)).toEqual([
      { filename: "a.txt", key: "files/jobs/j1/x/a.txt" },
    ]);
  });

  test.each<[string, unknown]>([
    ["another name", at("files/jobs/j1/x/a.csv", "a.csv")],
    ["no name", at("files/jobs/j1/x/a.txt", null)],
    ["another job", at("files/jobs/j2/x/a.txt")],
    ["somebody else", at("files/ann/x/a.txt")],
    ["the engine", at("users/admin")],
    ["a way up", at("files/jobs/j1/../j2/a.txt")],
    ["no list", { path: "files/jobs/j1/x/a.txt" }],
    ["odd entries", [null, 1, "x", {}]],
  ])("leaves out %s", (_what, files) => {
    expect(meantOutput(files, "j1", parts)).toEqual([]);
  });

  test("returns no files when only data are selected", () => {
    expect(meantOutput(at("files/jobs/j1/x/a.txt"), "j1", partsOf({ bucket_sync: "data" }))).toEqual([]);
  });
});

test("files of a bucket follow the others, replace the same path, and name their source", () => {
  const given = [{ path: "p1", size: 1 }, "odd", { path: "p2" }];
  expect(withFiles(given, [{ path: "p1" }, { path: "p3" }], "b1")).toEqual([
    { path: "p1", bucket: "b1" },
    "odd",
    { path: "p2" },
    { path: "p3", bucket: "b1" },
  ]);
  expect(withFiles(undefined, [{ path: "p1" }], "b1")).toEqual([{ path: "p1", bucket: "b1" }]);
});

test.each<[boolean, number, string]>([
  [true, 0, "data"],
  [true, 1, "data and 1 file"],
  [false, 3, "3 files"],
  [false, 0, ""],
])("data %s and %i files are described as %j", (data, files, text) => {
  expect(amountText(data, files)).toBe(text);
});
