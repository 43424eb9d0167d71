import { describe, expect, test } from "vitest";
import { createCalendar } from "../../../lib/time/calendar.ts";
import type { Silence } from "../model.ts";
import { concerns, isInForce } from "./in-force.ts";
import { newSilence } from "./record.ts";

const calendar = createCalendar();
const silence = (members: Partial<Silence>): Silence =>
  newSilence({ title: "Works", ...members }, { id: "q1", username: "ann", now: 1000 });
const at = (text: string): number => Date.parse(text) / 1000;
const inForce = (each: Silence, time: string): boolean => isInForce(each, at(time), { calendar, zone: "UTC" });

describe("a single silence", () => {
  const once = silence({ start: at("2026-03-01T10:00Z"), end: at("2026-03-01T12:00Z") });
  test.each([
    ["2026-03-01T09:59:59Z", false],
    ["2026-03-01T10:00:00Z", true],
    ["2026-03-01T11:59:59Z", true],
    ["2026-03-01T12:00:00Z", false],
  ])("at %s: %s", (time, expected) => {
    expect(inForce(once, time)).toBe(expected);
  });

  test("a disabled silence is never in force", () => {
    expect(inForce({ ...once, enabled: false }, "2026-03-01T11:00Z")).toBe(false);
  });
});

describe("a recurring silence", () => {
  /** Friday and Saturday nights in Berlin, from ten to six in the morning. */
  const nights = silence({ recurring: { weekdays: [5, 6], from: "22:00", to: "06:00", timezone: "Europe/Berlin" } });
  test.each([
    ["Friday 21:59", "2026-01-09T20:59Z", false],
    ["Friday 22:00", "2026-01-09T21:00Z", true],
    ["Saturday 05:59", "2026-01-10T04:59Z", true],
    ["Saturday 06:00", "2026-01-10T05:00Z", false],
    ["Sunday 05:00 belongs to Saturday", "2026-01-11T04:00Z", true],
    ["Sunday 22:00", "2026-01-11T21:00Z", false],
    ["Friday 05:00 belongs to Thursday", "2026-01-09T04:00Z", false],
    ["Friday 22:00 in summer", "2026-07-10T20:00Z", true],
    ["Friday 21:30 in summer", "2026-07-10T19:30Z", false],
  ])("%s: %s is %s", (_name, time, expected) => {
    expect(inForce(nights, time)).toBe(expected);
  });

  test("the same time for both ends means a whole day from there on", () => {
    const monday = silence({ recurring: { weekdays: [1], from: "09:00", to: "09:00" } });
    expect(
      ["2026-01-05T08:59Z", "2026-01-05T09:00Z", "2026-01-06T08:59Z", "2026-01-06T09:00Z"].map((time) =>
        inForce(monday, time),
      ),
    ).toEqual([false, true, true, false]);
  });

  test("the last day of a month is counted from its end", () => {
    const last = silence({ recurring: { days: [-1], from: "00:00", to: "12:00" } });
    expect(["2026-02-28T11:00Z", "2026-02-27T11:00Z", "2026-03-31T01:00Z"].map((time) => inForce(last, time))).toEqual([
      true,
      false,
      true,
    ]);
  });

  const small = silence({ recurring: { from: "02:00", to: "03:00", timezone: "Europe/Berlin" } });
  const minutesInForce = (from: string, hours: number): number =>
    Array.from({ length: hours * 60 }, (_each, minute) => at(from) + minute * 60).filter((now) =>
      isInForce(small, now, { calendar, zone: "UTC" }),
    ).length;
  test("a window in the hour that clocks skip does not happen, and in a repeated hour happens twice", () => {
    expect(minutesInForce("2026-03-27T22:00Z", 24)).toBe(60);
    expect(minutesInForce("2026-03-28T22:00Z", 24)).toBe(0);
    expect(minutesInForce("2026-10-24T21:00Z", 24)).toBe(120);
  });

  test("a night over a clock change ends by local time", () => {
    // Clocks go forward at 02:00 on the 29th: the night from 22:00 to 06:00 lasts seven hours.
    expect(
      ["2026-03-28T21:00Z", "2026-03-29T03:59Z", "2026-03-29T04:00Z"].map((time) => inForce(nights, time)),
    ).toEqual([true, true, false]);
  });

  test("start and end limit the whole series of windows", () => {
    const week = { ...nights, start: at("2026-01-05T00:00Z"), end: at("2026-01-10T00:00Z") };
    expect(["2026-01-03T21:30Z", "2026-01-09T21:30Z", "2026-01-10T00:30Z"].map((time) => inForce(week, time))).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("the zone of the configuration applies to a silence without a zone", () => {
    const own = silence({ recurring: { from: "22:00", to: "23:00" } });
    expect(isInForce(own, at("2026-01-09T13:30Z"), { calendar, zone: "Asia/Tokyo" })).toBe(true);
  });
});

describe("the subjects that a silence matches", () => {
  const subject = { server: "s1", groups: ["main", "web"], alert: "hot", severity: "warning", tags: ["db"] } as const;
  test.each<[Partial<Silence>, boolean]>([
    [{ servers: ["s1"] }, true],
    [{ servers: ["s2"] }, false],
    [{ groups: ["db", "web"] }, true],
    [{ groups: ["db"] }, false],
    [{ alerts: ["hot"] }, true],
    [{ tags: ["db"] }, true],
    [{ tags: ["web"] }, false],
    [{ servers: ["s1"], alerts: ["hot"] }, true],
    [{ servers: ["s1"], alerts: ["cold"] }, false],
    [{ events: ["backup"] }, false],
    [{ severities: ["info", "warning"] }, true],
    [{ severities: ["critical"] }, false],
    [{ severities: [], servers: ["s1"] }, true],
    [{ severities: ["info"], servers: ["s1"] }, false],
  ])("%j: %s", (scope, expected) => {
    expect(concerns(silence({ end: 2000, ...scope }), subject)).toBe(expected);
  });

  test.each<[Partial<Silence>, boolean]>([
    [{ events: ["backup"] }, true],
    [{ events: ["other"] }, false],
    [{ events: ["backup"], alerts: ["late"] }, true],
    [{ events: ["backup"], servers: ["s1"] }, false],
    [{ events: [], alerts: ["late"] }, true],
    [{ groups: ["main"] }, false],
  ])("an event, with %j: %s", (scope, expected) => {
    const event = { server: "", event: "backup", groups: [], alert: "late", tags: [] } as const;
    expect(concerns(silence({ end: 2000, ...scope }), { ...event, severity: "warning" })).toBe(expected);
  });

  test.each<[Partial<Silence>, string, boolean]>([
    [{ heartbeats: ["copy"] }, "heartbeat", true],
    [{ heartbeats: ["other"] }, "heartbeat", false],
    [{ checks: ["copy"] }, "heartbeat", false],
    [{ checks: ["copy"] }, "check", true],
    [{ checks: ["copy"], severities: ["critical"] }, "check", true],
    [{ checks: ["copy"], severities: ["info"] }, "check", false],
  ])("%j: one on a %s that is named copy: %s", (scope, type, expected) => {
    const about = { server: "", [type]: "copy", groups: [], alert: "late", severity: "critical", tags: [] } as const;
    expect(concerns(silence({ end: 2000, ...scope }), about)).toBe(expected);
  });
});
