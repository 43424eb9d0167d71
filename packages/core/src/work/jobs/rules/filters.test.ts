import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Job } from "../model.ts";
import { VERBOSE_MEMBERS } from "../model.ts";
import { compareValues, looselyEqual, matchesFilters, memberAt, pruned, prunedText, sortedBy } from "./filters.ts";

const job = (members: Record<string, unknown> = {}): Job =>
  ({ id: "j1", event: "e1", state: "active", started: 5, ...members }) as Job;

describe("loose equality", () => {
  test.each<[unknown, unknown, boolean]>([
    [5, "5", true],
    [5, 5, true],
    [5, "5.0", false],
    ["a", "a", true],
    ["a", "A", false],
    [true, "true", true],
    [true, "1", true],
    [true, 1, true],
    [true, "0", false],
    [false, "false", true],
    [false, "0", true],
    [undefined, undefined, true],
    [undefined, "", true],
    [null, "", true],
    [undefined, "x", false],
    [undefined, "undefined", false],
    [["a"], "a", false],
    [{}, "[object Object]", false],
    ["a", ["a"], true],
    ["a", { toString: 1, valueOf: 1 }, false],
    [true, [{ toString: 1 }], false],
  ])("%o and %o: %s", (stored, wanted, expected) => {
    expect(looselyEqual(stored, wanted)).toBe(expected);
  });
});

describe("filters", () => {
  test.each<[Record<string, unknown>, boolean]>([
    [{}, true],
    [{ state: "active" }, true],
    [{ state: "queued" }, false],
    [{ event: "e1", state: "active" }, true],
    [{ event: "e1", state: "queued" }, false],
    [{ "workflow.job": "j9" }, true],
    [{ "workflow.job": "j8" }, false],
    [{ "workflow.node.id": "n1" }, false],
    [{ offset: 5, limit: 1, sort_by: "x", sort_dir: 1 }, true],
    [{ api_key: "k", session_id: "s", csrf_token: "t", cachebust: 1, pretty: 1 }, true],
    [{ constructor: "x" }, false],
    [{ "__proto__.polluted": "x" }, false],
  ])("%o: %s", (input, expected) => {
    expect(matchesFilters(job({ workflow: { job: "j9" } }), input)).toBe(expected);
  });

  test.each(["toString", "constructor.name", "__proto__", "tags.length.x"])("%s is no member", (path) => {
    expect(memberAt(job({ tags: ["a"] }), path)).toBeUndefined();
  });
});

describe("the order of a list", () => {
  test.each<[1 | -1, unknown[], unknown[]]>([
    [1, [10, 9, 100], [9, 10, 100]],
    [-1, [10, 9, 100], [100, 10, 9]],
    [1, ["b", "a", "C"], ["a", "b", "C"]],
    [1, ["b", undefined, "a"], [undefined, "a", "b"]],
  ])("direction %d over %o", (direction, values, expected) => {
    const jobs = values.map((value) => job({ key: value }));
    expect(sortedBy(jobs, "key", direction).map((each) => each["key"])).toEqual(expected);
  });

  test("is consistent for any values: a comparison and its reverse agree", () => {
    const value = fc.oneof(fc.integer(), fc.string(), fc.constant(undefined));
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(Math.sign(compareValues(a, b)) + Math.sign(compareValues(b, a))).toBe(0);
      }),
    );
  });
});

test("the short form of a job leaves out large members", () => {
  const members = Object.fromEntries(VERBOSE_MEMBERS.map((name) => [name, 1]));
  expect(pruned(job(members))).toEqual(job());
  const whole = { ...members, ...job(), extra: members };
  expect(prunedText(JSON.stringify(whole))).toBe(JSON.stringify(pruned(whole)));
});
