import { expect, test } from "vitest";
import { epochOf, wallTime } from "./wall.ts";

const berlin = "Europe/Berlin";
const at = (text: string): number => Date.parse(text) / 1000;

test.each([
  ["2026-07-01T12:30", at("2026-07-01T10:30Z")],
  ["2026-12-01T00:00", at("2026-11-30T23:00Z")],
  ["2026-03-29T03:30", at("2026-03-29T01:30Z")],
  ["2026-10-25T04:00", at("2026-10-25T03:00Z")],
])("%s in Berlin is a moment, and back", (wall, epoch) => {
  expect(epochOf(wall, berlin)).toBe(epoch);
  expect(wallTime(epoch, berlin)).toBe(wall);
});

test("what is no time is none", () => {
  expect(epochOf("", berlin)).toBeUndefined();
  expect(epochOf("soon", berlin)).toBeUndefined();
});
