import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { finalTags, type JobOutcome, resolveTag } from "./final-tags.ts";

const known = [
  { id: "slow", title: "Slow Job" },
  { id: "db", title: "Database" },
  { id: "twin1", title: "Twin" },
  { id: "twin2", title: "Twin" },
  { id: "titled", title: "slow" },
];
const outcome = (changes: Partial<JobOutcome> = {}): JobOutcome => ({
  succeeded: true,
  retried: false,
  test: false,
  hasFiles: false,
  limit: undefined,
  ...changes,
});

describe("the final tags of a job", () => {
  test.each<[Partial<JobOutcome>, string[]]>([
    [{}, ["_success", "_last"]],
    [{ succeeded: false }, ["_error", "_last"]],
    [{ succeeded: false, retried: true }, ["_error", "_retried"]],
    [{ test: true }, ["_success", "_last", "_test"]],
    [{ hasFiles: true }, ["_success", "_last", "_files"]],
    [{ succeeded: false, retried: true, test: true, hasFiles: true }, ["_error", "_retried", "_test", "_files"]],
  ])("%o adds %o", (changes, tags) => {
    expect(finalTags(["db"], known, outcome(changes)).tags).toEqual(["db", ...tags]);
  });

  test.each<[number | undefined, string[]]>([
    [undefined, ["db", "slow"]],
    [2, ["db", "slow"]],
    [1, ["db"]],
    [0, []],
  ])("a limit of %s leaves the user tags %o and never drops system tags", (limit, own) => {
    expect(finalTags(["db", "slow"], known, outcome({ limit })).tags).toEqual([...own, "_success", "_last"]);
  });

  test("unknown ones are dropped before the limit counts", () => {
    expect(finalTags(["nope", "db"], known, outcome({ limit: 1 }))).toEqual({
      tags: ["db", "_success", "_last"],
      unknown: ["nope"],
    });
  });

  test("are unique, also when a tag was named by its title", () => {
    expect(finalTags(["Database", "db", "db"], known, outcome()).tags).toEqual(["db", "_success", "_last"]);
  });

  test("do not include system tags that a job sends", () => {
    expect(finalTags(["_success", "_error"], known, outcome({ succeeded: false }))).toEqual({
      tags: ["_error", "_last"],
      unknown: ["_success", "_error"],
    });
  });

  test("include exactly one of each pair, and nothing twice", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("db", "slow", "x", "_last", "Twin")),
        fc.boolean(),
        fc.boolean(),
        (tags, ok, again) => {
          const { tags: all } = finalTags(tags, known, outcome({ succeeded: ok, retried: again }));
          expect(new Set(all).size).toBe(all.length);
          expect(all.filter((tag) => tag === "_success" || tag === "_error")).toEqual([ok ? "_success" : "_error"]);
          expect(all.filter((tag) => tag === "_last" || tag === "_retried")).toEqual([again ? "_retried" : "_last"]);
        },
      ),
    );
  });
});

describe("the name of a tag", () => {
  test.each([
    ["slow", "slow"],
    ["Slow Job", "slow"],
    ["Twin", undefined],
    ["nope", undefined],
    ["", undefined],
  ])("%s is %s", (name, id) => {
    expect(resolveTag(name, known)).toBe(id);
  });
});
