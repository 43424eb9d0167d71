import { expect, test } from "vitest";
import { asksForSections, atPath, cpuShare, withPrefix } from "./rules.ts";

const data = { transactions: { job_start: 3, search: 1 }, events: { e1: { job_start: 3 } } };

test.each([
  ["", data],
  ["transactions", data.transactions],
  ["events.e1.job_start", 3],
  ["events.e2", undefined],
  ["events.e1.job_start.deeper", undefined],
  ["constructor", undefined],
  ["__proto__.toString", undefined],
])("path %j", (path, expected) => {
  expect(atPath(data, path)).toEqual(expected);
});

test.each([
  ["job_", { job_start: 3 }],
  ["", data.transactions],
  ["nothing", {}],
])("prefix %j", (prefix, expected) => {
  expect(withPrefix(data.transactions, prefix)).toEqual(expected);
});
test("a number has no members to select", () => expect(withPrefix(3, "job_")).toBe(3));

test.each([
  ["transactions.search", false],
  ["requests", false],
  ["events", true],
  ["", true],
])("path %j asks for sections: %s", (path, expected) => {
  expect(asksForSections(path)).toBe(expected);
});

test.each([
  [500_000, 1000, 50],
  [2_000_000, 1000, 200],
  [1, 0, 0],
])("%d microseconds in %d ms are %d percent", (micro, ms, expected) => {
  expect(cpuShare(micro, ms)).toBe(expected);
});
