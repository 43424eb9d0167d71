import { describe, expect, test } from "vitest";
import { type Decision, readDecision } from "./decision.ts";

const no: Decision = { launch: false, invisible: false, files: [] };

describe("an answer of a scheduler plugin", () => {
  test.each<[unknown, Partial<Decision>]>([
    [true, { launch: true }],
    [false, {}],
    [{}, {}],
    [
      { launch: 1, delay: 90 },
      { launch: true, delay: 90 },
    ],
    [
      { launch: true, delay: "90" },
      { launch: true, delay: 90 },
    ],
    [
      { launch: true, delay: 1e12 },
      { launch: true, delay: 366 * 86_400 },
    ],
    [{ launch: true, delay: -5 }, { launch: true }],
    [{ launch: true, delay: "soon" }, { launch: true }],
    [{ launch: true, delay: { valueOf: 1, toString: 1 } }, { launch: true }],
    [
      { launch: true, data: { a: 1 } },
      { launch: true, data: { a: 1 } },
    ],
    [{ launch: true, data: [1] }, { launch: true }],
    [
      { launch: true, invisible: 1, files: "x" },
      { launch: true, invisible: true },
    ],
    [
      { launch: true, files: ["a.txt"] },
      { launch: true, files: ["a.txt"] },
    ],
  ])("%j", (item, decision) => {
    expect(readDecision(item)).toEqual({ ...no, ...decision });
  });
});
