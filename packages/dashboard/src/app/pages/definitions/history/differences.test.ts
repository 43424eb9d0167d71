import { expect, test } from "vitest";
import { differencesOf } from "./differences.ts";

test.each([
  ["nothing but stamps", { a: 1, revision: 1, modified: 5 }, { a: 1, revision: 2, modified: 9 }, []],
  ["a value", { title: "A" }, { title: "B" }, [{ member: "title", before: "A", after: "B" }]],
  ["a new member", {}, { notes: "n" }, [{ member: "notes", before: undefined, after: "n" }]],
  ["an emptied one", { notes: "n" }, { notes: "" }, [{ member: "notes", before: "n", after: undefined }]],
  ["absent and empty are the same", { notes: null }, { notes: "" }, []],
  [
    "a list",
    { tags: ["a"] },
    { tags: ["a", "b"] },
    [{ member: "tags", before: '[\n  "a"\n]', after: '[\n  "a",\n  "b"\n]' }],
  ],
])("%s", (_case, before, after, expected) => {
  expect(differencesOf(before, after)).toEqual(expected);
});

test("only the lines around a change of a long text are kept", () => {
  const [difference] = differencesOf({ script: "1\n2\n3\n4\n5" }, { script: "1\n2\nx\n4\n5" });
  expect(difference).toEqual({ member: "script", before: "…\n2\n3\n4\n…", after: "…\n2\nx\n4\n…" });
});
