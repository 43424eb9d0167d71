import { describe, expect, test } from "vitest";
import type { StoredFile } from "../model.ts";
import { contentOf, findFile, keptFiles, lostContents, mergeFiles, shownFile } from "./files.ts";

const key = (name: string, bucket = "b1"): string => `files/bucket/${bucket}/${name.padEnd(43, "0")}/${name}.txt`;
const file = (name: string, members: Partial<StoredFile> = {}): StoredFile => ({
  ...{ id: `f${name}`, date: 1, filename: `${name}.txt`, path: key(name), size: 10, username: "ann" },
  ...members,
});

describe("mergeFiles", () => {
  test("adds new files after the others", () => {
    expect(mergeFiles([file("a")], [file("b")])).toEqual([file("a"), file("b")]);
  });

  test("replaces a file of the same name in its place: id and path stay, owners change", () => {
    const coming = file("new", { filename: "a.txt", date: 9, size: 3, job: "j1", server: "s1" });
    const { username: _none, ...ofJob } = coming;
    expect(mergeFiles([file("a"), file("b")], [ofJob])).toEqual([
      { ...ofJob, id: "fa", path: key("a"), content: key("new") },
      file("b"),
    ]);
  });

  test("treats names as case-sensitive", () => {
    expect(mergeFiles([file("a")], [file("b", { filename: "A.txt" })])).toHaveLength(2);
  });

  test("uses the last of several files with one name", () => {
    const both = [file("x", { filename: "a.txt", size: 1 }), file("y", { filename: "a.txt", size: 2 })];
    expect(mergeFiles([], both)).toEqual([{ ...both[1], id: "fx", path: key("x"), content: key("y") }]);
  });
});

describe("lostContents", () => {
  const replaced = file("a", { content: key("new") });
  test.each<[string, StoredFile[], StoredFile[], string[], string[]]>([
    ["nothing changed", [file("a")], [file("a")], [], []],
    ["a file was deleted", [file("a"), file("b")], [file("b")], [key("a")], []],
    ["a file was replaced", [file("a")], [replaced], [], [key("a")]],
    ["it was replaced again", [replaced], [file("a", { content: key("newer") })], [], [key("new")]],
    ["a replaced one was deleted", [replaced], [], [key("new")], []],
    ["it changed its place", [file("a"), file("b")], [file("b"), file("a")], [], []],
    ["an entry named a foreign path", [file("a", { path: "users/admin" })], [], [], []],
    ["an entry named the path of another bucket", [file("a", { path: key("a", "b2") })], [], [], []],
    ["an entry named a foreign content", [file("a", { content: key("x", "b2") })], [], [], []],
  ])("when %s", (_what, before, after, removed, gone) => {
    expect(lostContents("b1", before, after)).toEqual({ removed, replaced: gone });
  });
});

test("an entry names only content of its own bucket", () => {
  expect(contentOf(file("a"), "b1")).toBe(key("a"));
  expect(contentOf(file("a", { content: key("b") }), "b1")).toBe(key("b"));
  expect(contentOf(file("a"), "b2")).toBeUndefined();
  expect(contentOf(file("a", { content: "files/jobs/j1/x/a.txt" }), "b1")).toBeUndefined();
});

test("callers do not see where content is stored", () => {
  expect(shownFile(file("a", { content: key("b") }))).toEqual(file("a"));
});

test.each<[unknown[], string[]]>([
  [
    [{ path: key("b") }, { path: key("a") }],
    ["fb", "fa"],
  ],
  [[{ path: key("b"), id: "other", size: 0 }], ["fb"]],
  [[{ path: key("b") }, { path: key("b") }], ["fb"]],
  [[{ path: "users/admin" }, { path: key("new") }], []],
  [[null, 1, "x", [], {}, { path: 7 }], []],
  [[], []],
])("of the files that %j names %j stay", (named, ids) => {
  expect(keptFiles([file("a"), file("b")], named).map(({ id }) => id)).toEqual(ids);
});

test.each<[object, number]>([
  [{ filename: "b.txt" }, 1],
  [{ username: "ann" }, 0],
  [{ filename: "b.txt", size: 10, date: 1 }, 1],
  [{ filename: "b.txt", size: 11 }, -1],
  [{ path: key("b") }, 1],
  [{ filename: "B.txt" }, -1],
])("%j finds the file at %i", (criteria, place) => {
  expect(findFile([file("a"), file("b"), file("b")], criteria)).toBe(place);
});
