import { expect, test } from "vitest";
import { createDays } from "./days.ts";

const at = (text: string): number => Date.parse(text) / 1000;

test.each([
  ["2026-11-24T23:59:59Z", "UTC", "2026-11-24"],
  ["2026-11-25T00:00:00Z", "UTC", "2026-11-25"],
  ["2026-11-24T23:00:00Z", "Europe/Berlin", "2026-11-25"],
  ["2026-03-29T00:59:59.5Z", "Europe/Berlin", "2026-03-29"],
  ["2026-11-24T18:29:59Z", "Asia/Kolkata", "2026-11-24"],
  ["2026-11-24T18:30:00Z", "Asia/Kolkata", "2026-11-25"],
  ["2026-01-01T04:59:00Z", "America/New_York", "2025-12-31"],
])("%s is in %s a part of %s", (time, zone, day) => {
  expect(createDays({ tz: zone })(at(time))).toBe(day);
});

test("days may be requested in any order, and the default zone is the machine's", () => {
  const dayOf = createDays({ tz: "UTC" });
  const [first, second] = [at("2026-11-24T12:00:00Z"), at("2026-11-25T12:00:00Z")];
  expect([first, second, first].map(dayOf)).toEqual(["2026-11-24", "2026-11-25", "2026-11-24"]);
  const machine = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(createDays({})(first)).toBe(createDays({ tz: machine })(first));
});

test("a changed zone applies from then on, in the same minute too", () => {
  const config = { tz: "UTC" };
  const dayOf = createDays(config);
  const time = at("2026-11-24T23:00:00Z");
  expect(dayOf(time)).toBe("2026-11-24");
  config.tz = "Europe/Berlin";
  expect(dayOf(time)).toBe("2026-11-25");
});
