import { expect, test } from "vitest";
import { createCalendar } from "../../../../lib/time/calendar.ts";
import type { RouteDigest } from "../../model.ts";
import { isDigestDue } from "./digest.ts";

const rules = { calendar: createCalendar(), zone: "UTC" };
const at = (text: string): number => Date.parse(text) / 1000;
const morning: RouteDigest = { at: ["08:00"] };
const berlin: RouteDigest = { at: ["02:30"], timezone: "Europe/Berlin" };

test.each<[string, RouteDigest, string, string, boolean]>([
  ["before the time", morning, "2026-01-05T07:00Z", "2026-01-05T07:59Z", false],
  ["at the time", morning, "2026-01-05T07:00Z", "2026-01-05T08:00Z", true],
  ["long after it", morning, "2026-01-05T07:00Z", "2026-01-05T20:00Z", true],
  ["once a day", morning, "2026-01-05T08:00Z", "2026-01-05T20:00Z", false],
  ["on the next day", morning, "2026-01-05T20:00Z", "2026-01-06T08:00Z", true],
  ["several times a day", { at: ["08:00", "20:00"] }, "2026-01-05T08:00Z", "2026-01-05T20:00Z", true],
  ["not on another weekday", { at: ["08:00"], weekdays: [1] }, "2026-01-05T09:00Z", "2026-01-11T09:00Z", false],
  ["on its weekday", { at: ["08:00"], weekdays: [1] }, "2026-01-05T09:00Z", "2026-01-12T08:00Z", true],
  ["in the zone of the digest", berlin, "2026-01-05T01:00Z", "2026-01-05T01:30Z", true],
  ["a time that is skipped comes with the next minute", berlin, "2026-03-29T00:00Z", "2026-03-29T01:00Z", true],
  ["a time that comes twice counts at its first pass", berlin, "2026-10-25T00:00Z", "2026-10-25T00:30Z", true],
  ["not at the second one, after a firing between the two", berlin, "2026-10-25T01:10Z", "2026-10-25T01:30Z", false],
  ["and at no other", berlin, "2026-10-25T00:30Z", "2026-10-25T01:40Z", false],
])("%s", (_name, digest, since, now, expected) => {
  expect(isDigestDue(digest, { since: at(since), now: at(now) }, rules)).toBe(expected);
});
