import { describe, expect, test } from "vitest";
import { isSizeText, parseSize, readableDuration } from "./readable.ts";

describe("readableDuration", () => {
  test.each([
    [-5, "0 seconds"],
    [0, "0 seconds"],
    [0.9, "0 seconds"],
    [1, "1 second"],
    [59, "59 seconds"],
    [60, "1 minute"],
    [61, "1 minute, 1 second"],
    [3600, "1 hour"],
    [3660, "1 hour, 1 minute"],
    // Only the next smaller unit is added.
    [3601, "1 hour"],
    [172_800, "2 days"],
    [180_000, "2 days, 2 hours"],
  ])("%d seconds are %j", (seconds, expected) => {
    expect(readableDuration(seconds)).toBe(expected);
  });
});

describe("parseSize", () => {
  test.each([
    [4096, 4096],
    ["512", 512],
    ["1 MB", 1_048_576],
    ["1.5k", 1536],
    [" 2 gigabytes", 2_147_483_648],
    ["1T", 1_099_511_627_776],
    ["3 b", 3],
    ["5 x", 0],
    ["big", 0],
    ["", 0],
  ])("%j is %d bytes", (size, expected) => {
    expect(parseSize(size)).toBe(expected);
  });
});

test.each([
  ["512", true],
  ["1 MB", true],
  ["1.5k", true],
  ["3 bytes", true],
  [" 2 gigabytes", true],
  ["5 x", false],
  ["-1 MB", false],
  ["big", false],
  ["", false],
])("%s can be a size: %s", (text, expected) => {
  expect(isSizeText(text)).toBe(expected);
});
