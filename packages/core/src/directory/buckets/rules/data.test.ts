import { expect, test } from "vitest";
import { dataForJob, mergeData } from "./data.ts";
import { isDisabled, newBucket } from "./record.ts";
import { refusedCount, refusedFiles, uploadLimits } from "./uploads.ts";

test.each<[object, object, object | undefined]>([
  [{ a: 1, b: { c: 1 } }, { b: { d: 2 } }, { a: 1, b: { d: 2 } }],
  [{}, { a: null }, { a: null }],
  [{ a: 1 }, {}, { a: 1 }],
  [[1, 2], { a: 1 }, undefined],
])("data %j and written data %j give %j", (stored, written, merged) => {
  expect(mergeData(stored as never, written as never)).toEqual(merged);
});

test("a job gets a list as the member items", () => {
  expect(dataForJob([1, 2])).toEqual({ items: [1, 2] });
  expect(dataForJob({ a: 1 })).toEqual({ a: 1 });
});

test("a new bucket has defaults, and neither data nor files in its record", () => {
  const stamp = { id: "b1", username: "ann", now: 5 };
  const input = { title: "B", data: { a: 1 }, files: [{ path: "users/admin" }], more: 1 };
  expect(newBucket(input, stamp)).toEqual({
    ...{ id: "b1", title: "B", enabled: true, icon: "", notes: "", more: 1 },
    ...{ username: "ann", created: 5, modified: 5, revision: 1 },
  });
});

test.each([
  [undefined, false],
  [true, false],
  [1, false],
  [false, true],
  [0, true],
])("enabled %j means disabled: %s", (enabled, expected) => {
  expect(isDisabled({ enabled })).toBe(expected);
});

const SIZE = "One or more of the files exceed the maximum allowed bucket file size.";
const TYPE = "One or more of the files are not of an accepted type.";
const limits = uploadLimits({ max_files_per_bucket: 2, max_file_size: 10, accepted_file_types: ".txt, image/*" });

test.each<[string, number, string | undefined]>([
  ["a.txt", 10, undefined],
  ["a.TXT", 1, undefined],
  ["a.png", 1, undefined],
  ["a.txt", 11, SIZE],
  ["a.exe", 1, TYPE],
  ["a.txt.exe", 1, TYPE],
])("a file %s of %i bytes: %s", (filename, sizeBytes, refusal) => {
  expect(
    refusedFiles(
      [
        { filename: "b.txt", sizeBytes: 1 },
        { filename, sizeBytes },
      ],
      limits,
    ),
  ).toBe(refusal);
});

test("a bucket accepts files up to its maximum number", () => {
  expect(refusedCount(2, limits)).toBeUndefined();
  expect(refusedCount(3, limits)).toMatch(/^Failed to process uploaded files: Error: The bucket has reached/);
});
