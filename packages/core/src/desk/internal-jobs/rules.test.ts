import { describe, expect, test } from "vitest";
import { messageOf, rowOf, withProgress, withReport, withStat } from "./rules.ts";

const row = rowOf({ title: "Test", type: "db", username: "anna" }, "i1", 100);

test("a new job has done nothing", () => {
  expect(row).toEqual({
    ...{ id: "i1", title: "Test", type: "db", username: "anna", started: 100 },
    ...{ progress: 0, stats: {}, params: {}, quiet: false },
  });
  const spec = {
    title: "T",
    type: "maint",
    username: "a",
    params: { a: 1 },
    quiet: true,
    email: "a@example.com",
  } as const;
  expect(rowOf(spec, "i2", 1)).toMatchObject({ params: { a: 1 }, quiet: true, email: "a@example.com" });
  expect(rowOf({ ...spec, email: "" }, "i2", 1)).not.toHaveProperty("email");
});

test.each([
  [0.5, 0.5],
  [1, 1],
  [7, 1],
  [-1, 0.2],
  [0.1, 0.2],
  [Number.NaN, 0.2],
  [Number.POSITIVE_INFINITY, 1],
])("progress of 0.2 that becomes %d is %d", (share, expected) => {
  expect(withProgress({ ...row, progress: 0.2 }, share).progress).toBe(expected);
});

test("a hundred numbers are counted at most, and known ones are still counted after that", () => {
  let counted = row;
  for (let n = 0; n < 150; n++) counted = withStat(counted, `n${n}`, n);
  expect(Object.keys(counted.stats)).toHaveLength(100);
  expect(withStat(counted, "n7", 70).stats["n7"]).toBe(70);
});

test("a report is made of paragraphs and cut at its maximum length", () => {
  expect(withReport(withReport(row, "one"), "two").details).toBe("one\n\ntwo");
  const long = withReport(row, "x".repeat(200_000));
  expect(long.details).toHaveLength(100_000 + "\n\n(The report was cut here.)".length);
  expect(withReport(long, "more")).toBe(long);
});

describe("the message at the end of an internal job", () => {
  test("names the first ten figures, as far as the work got", () => {
    const counted = withStat(withStat(row, "records", 12), "errors", 0);
    expect(messageOf(counted, "done")).toBe("Test: finished (records: 12, errors: 0).");
    expect(messageOf(counted, "stopped")).toBe("Test: stopped before its end (records: 12, errors: 0).");
    let many = row;
    for (let index = 0; index < 11; index++) many = withStat(many, `n${index}`, index);
    expect(messageOf(many, "done")).toMatch(/, n9: 9\)\.$/);
  });

  test.each([
    ["done", undefined, "Test: finished."],
    ["stopped", undefined, "Test: stopped before its end."],
    ["failed", "Busy.", "Test: failed: Busy."],
  ] as const)("describes %s in a sentence", (outcome, fault, expected) => {
    expect(messageOf(row, outcome, fault)).toBe(expected);
  });
});
