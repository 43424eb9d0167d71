import { expect, test } from "vitest";
import { appeared, changedReadings, changeText } from "./difference.ts";

const first = {
  monitors: { load: 1, disk: 90, gone: 3 },
  processes: { list: [{ command: "sh" }, { command: "node" }] },
};
const second = {
  monitors: { load: 2, disk: 90 },
  processes: { list: [{ command: "node" }, { command: "node" }, { command: "psql" }] },
};

test("readings that changed, or exist only once, are listed", () => {
  expect(changedReadings(first, second, ["load", "disk", "gone", "never"])).toEqual([
    { id: "load", first: 1, second: 2 },
    { id: "gone", first: 3, second: undefined },
  ]);
});

test.each([
  [44, 24.6, { kind: "float", suffix: "%" }, "−19.4 points"],
  [90, 94, { kind: "float", suffix: " %" }, "+4 points"],
  [1024 ** 3, 3 * 1024 ** 3, { kind: "bytes" }, "+2 GB"],
  [2, 1.5, { kind: "float" }, "−0.5"],
] as const)("the change from %j to %j in %j has its sign and unit", (from, to, unit, text) => {
  expect(changeText(from, to, unit, "points")).toBe(text);
});

test("processes are counted by their command", () => {
  expect(appeared(first, second)).toEqual([
    { command: "node", count: 1 },
    { command: "psql", count: 1 },
  ]);
  expect(appeared(second, first)).toEqual([{ command: "sh", count: 1 }]);
  expect(appeared({}, {})).toEqual([]);
});
