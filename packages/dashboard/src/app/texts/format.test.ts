import { beforeEach, expect, test } from "vitest";
import { now, stretch, timeZone } from "./format.ts";

const at = (text: string): number => Date.parse(`${text}Z`) / 1000;

beforeEach(() => {
  timeZone.value = "UTC";
  now.value = at("2026-11-18T14:00");
});

test.each([
  ["of today", "2026-11-18T09:00", "2026-11-18T10:00", "09:00", "10:00"],
  ["of another day", "2026-11-16T09:00", "2026-11-16T10:00", "Mon Nov 16, 09:00", "10:00"],
  ["up to today", "2026-09-19T15:00", "2026-11-18T14:00", "Sat Sep 19, 15:00", "Wed Nov 18, 14:00"],
  ["of some days", "2026-11-09T15:00", "2026-11-11T14:00", "Mon Nov 9, 15:00", "Wed Nov 11, 14:00"],
])("a stretch %s names each day once", (_which, begin, end, from, to) => {
  expect(stretch(at(begin), at(end))).toEqual({ from, to });
});
