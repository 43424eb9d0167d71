import { describe, expect, test } from "vitest";
import { createCalendar } from "../../../lib/time/calendar.ts";
import type { Trigger } from "../../events/model.ts";
import { countNth, hitsAt, runsOf, scheduleOf } from "./triggers.ts";

const calendar = createCalendar();
const at = (text: string): number => Date.parse(text) / 1000;
const schedule = (...triggers: Trigger[]) => {
  const found = scheduleOf({ triggers: triggers.map((trigger) => ({ enabled: true, ...trigger })) });
  if (!found) throw new Error("no launching trigger");
  return found;
};

test("triggers with the same id, as copies have them, make a run each", () => {
  const one = schedule({ type: "schedule", id: "a" }, { type: "schedule", id: "a" }, { type: "schedule", id: "1" });
  const runs = runsOf(one, hitsAt(one, at("2026-03-01T00:00Z"), { calendar, zone: "UTC" }), 0);
  expect(new Set(runs.map(({ launcher }) => launcher.key)).size).toBe(3);
  const other = schedule({ type: "schedule", id: "1" }, { type: "schedule" });
  expect(new Set(other.launchers.map(({ key }) => key)).size).toBe(2);
});

test("triggers stored before there were bounds are cut to the bounds", () => {
  const many = schedule(...Array.from({ length: 3000 }, () => ({ type: "schedule" })));
  expect(many.launchers).toHaveLength(100);
  const precise = schedule(
    { type: "schedule" },
    { type: "precision", seconds: Array.from({ length: 10_000 }, (_, at) => at % 3) },
  );
  expect(precise.seconds).toEqual([0, 1, 2]);
  const endless = schedule({ type: "interval", start: 0, duration: 1e-9 });
  expect(runsOf(endless, endless.launchers, 60)).toHaveLength(60);
});

/** All due minutes of a period as ISO texts without seconds. */
function dueBetween(from: string, to: string, trigger: Record<string, unknown>, zone = "UTC"): string[] {
  const one = schedule({ type: "schedule", ...trigger });
  const due: string[] = [];
  for (let minute = at(from); minute < at(to); minute += 60)
    if (hitsAt(one, minute, { calendar, zone }).length > 0)
      due.push(new Date(minute * 1000).toISOString().slice(0, 16));
  return due;
}

const NEW_YORK = "America/New_York";
const LORD_HOWE = "Australia/Lord_Howe";

describe("schedule", () => {
  test.each([
    ["every minute when all lists are empty", {}, "2026-03-01T00:00Z", "2026-03-01T00:03Z", 3],
    ["at one minute of each hour", { minutes: [30] }, "2026-03-01T00:00Z", "2026-03-02T00:00Z", 24],
    [
      "on days that are both the 13th and a Friday",
      { days: [13], weekdays: [5], hours: [0], minutes: [0] },
      "2026-01-01T00:00Z",
      "2027-01-01T00:00Z",
      3,
    ],
    ["only in its years", { years: [2027], hours: [0], minutes: [0] }, "2026-12-30T00:00Z", "2027-01-03T00:00Z", 2],
  ] as const)("is due %s", (_name, trigger, from, to, count) => {
    expect(dueBetween(from, to, trigger)).toHaveLength(count);
  });

  test("counts reverse days from the end of the month, leap years included", () => {
    const trigger = { days: [-1], hours: [12], minutes: [0] };
    expect(dueBetween("2028-02-01T00:00Z", "2028-04-01T00:00Z", trigger)).toEqual([
      "2028-02-29T12:00",
      "2028-03-31T12:00",
    ]);
    expect(dueBetween("2027-02-01T00:00Z", "2027-03-01T00:00Z", trigger)).toEqual(["2027-02-28T12:00"]);
  });

  test("treats calendar days and reverse days of one list as alternatives", () => {
    const trigger = { days: [1, -7], hours: [0], minutes: [0] };
    expect(dueBetween("2026-04-01T00:00Z", "2026-05-01T00:00Z", trigger)).toEqual([
      "2026-04-01T00:00",
      "2026-04-24T00:00",
    ]);
  });

  test("is due on 29 February only in leap years", () => {
    const trigger = { months: [2], days: [29], hours: [0], minutes: [0] };
    expect(dueBetween("2027-01-01T00:00Z", "2029-01-01T00:00Z", trigger)).toEqual(["2028-02-29T00:00"]);
  });

  test("uses its own zone before the default one", () => {
    const trigger = { hours: [9], minutes: [0], timezone: "Asia/Kolkata" };
    expect(dueBetween("2026-06-01T00:00Z", "2026-06-02T00:00Z", trigger, NEW_YORK)).toEqual(["2026-06-01T03:30"]);
  });
});

describe("clock changes", () => {
  test("a skipped time runs in the first minute after the gap", () => {
    const trigger = { hours: [2], minutes: [30] };
    const due = dueBetween("2026-03-08T00:00Z", "2026-03-09T00:00Z", trigger, NEW_YORK);
    expect(due).toEqual(["2026-03-08T07:00"]);
  });

  test("a pattern that names several skipped times and the next one runs once there", () => {
    const trigger = { hours: [2, 3], minutes: [0, 30] };
    const due = dueBetween("2026-03-08T06:00Z", "2026-03-08T08:00Z", trigger, NEW_YORK);
    expect(due).toEqual(["2026-03-08T07:00", "2026-03-08T07:30"]);
  });

  test("a repeated time runs the first time only", () => {
    const trigger = { hours: [1], minutes: [30] };
    const due = dueBetween("2026-11-01T00:00Z", "2026-11-02T00:00Z", trigger, NEW_YORK);
    expect(due).toEqual(["2026-11-01T05:30"]);
  });

  test("a zone that moves by half an hour follows the same rule", () => {
    const back = dueBetween("2026-04-04T00:00Z", "2026-04-05T12:00Z", { hours: [1], minutes: [45] }, LORD_HOWE);
    expect(back).toEqual(["2026-04-04T14:45"]);
    const forward = dueBetween("2026-10-03T00:00Z", "2026-10-04T12:00Z", { hours: [2], minutes: [15] }, LORD_HOWE);
    expect(forward).toEqual(["2026-10-03T15:30"]);
  });

  test("patterns of every hour run at each real hour", () => {
    expect(dueBetween("2026-03-08T05:00Z", "2026-03-08T09:00Z", { minutes: [30] }, NEW_YORK)).toHaveLength(4);
    expect(dueBetween("2026-11-01T04:00Z", "2026-11-01T08:00Z", { minutes: [30] }, NEW_YORK)).toHaveLength(4);
  });

  test("with dst wall a skipped time never runs, and a repeated one runs twice", () => {
    const swallowed = { hours: [2], minutes: [30], dst: "wall" };
    expect(dueBetween("2026-03-08T00:00Z", "2026-03-09T00:00Z", swallowed, NEW_YORK)).toEqual([]);
    const repeated = { hours: [1], minutes: [30], dst: "wall" };
    const due = dueBetween("2026-11-01T00:00Z", "2026-11-02T00:00Z", repeated, NEW_YORK);
    expect(due).toEqual(["2026-11-01T05:30", "2026-11-01T06:30"]);
  });

  test("a daily time runs exactly once on each day of a year in both zones", () => {
    for (const zone of [NEW_YORK, LORD_HOWE])
      for (const hour of [1, 2])
        expect(
          dueBetween("2026-01-01T12:00Z", "2027-01-01T12:00Z", { hours: [hour], minutes: [15] }, zone),
        ).toHaveLength(365);
  });
});

describe("interval", () => {
  const hits = (start: number, duration: number, minute: number): number[] => {
    const one = schedule({ type: "interval", start, duration });
    const found = hitsAt(one, minute, { calendar, zone: "UTC" });
    return runsOf(one, found, minute).map((run) => run.now - minute);
  };
  test.each([
    [1766111340, 90, 1766111340, [0]],
    [1766111340, 90, 1766111400, [30]],
    [1766111340, 90, 1766111460, []],
    [1766111355, 3600, 1766111340, [15]],
    [1766111340, 20, 1766111400, [0, 20, 40]],
    [1766111400, 60, 1766111340, []],
  ] as const)("start %i every %i s in minute %i fires at %j", (start, duration, minute, expected) => {
    expect(hits(start, duration, minute)).toEqual(expected);
  });

  test("fires at most once per second", () => {
    expect(hits(0, 0.01, 600)).toHaveLength(60);
  });
});

describe("modifiers", () => {
  const minute = at("2026-05-05T10:00Z");
  const always: Trigger = { type: "schedule" };
  const isDue = (...more: Trigger[]): boolean =>
    hitsAt(schedule(always, ...more), minute, { calendar, zone: "UTC" }).length > 0;

  test.each([
    ["inside a range", true, [{ type: "range", start: minute - 60, end: minute + 60 }]],
    ["at the first minute of a range", true, [{ type: "range", start: minute }]],
    ["at the last minute of a range", true, [{ type: "range", end: minute }]],
    ["after a range", false, [{ type: "range", end: minute - 60 }]],
    ["with a range that has no ends", false, [{ type: "range" }]],
    [
      "inside one of two ranges",
      true,
      [
        { type: "range", end: minute - 60 },
        { type: "range", start: minute },
      ],
    ],
    ["at the end of a blackout", false, [{ type: "blackout", start: minute - 60, end: minute }]],
    ["after a blackout", true, [{ type: "blackout", start: minute - 120, end: minute - 60 }]],
    ["with a disabled blackout", true, [{ type: "blackout", enabled: false, start: minute, end: minute }]],
  ] as const)("%s the answer is %s", (_name, expected, triggers) => {
    expect(isDue(...(triggers as unknown as Trigger[]))).toBe(expected);
  });

  test("delay moves the start and keeps the nominal time", () => {
    const one = schedule(always, { type: "delay", duration: 90 });
    expect(runsOf(one, one.launchers, minute)).toMatchObject([{ now: minute, until: minute + 90 }]);
  });

  test("precision makes one run per listed second", () => {
    const one = schedule(always, { type: "precision", seconds: [5, 35] });
    expect(runsOf(one, one.launchers, minute).map(({ now, until }) => [now - minute, until])).toEqual([
      [5, minute + 5],
      [35, minute + 35],
    ]);
  });

  test("every due trigger makes a run of its own", () => {
    const one = schedule(always, { type: "single", epoch: minute }, { type: "schedule", hours: [11] });
    const found = hitsAt(one, minute, { calendar, zone: "UTC" });
    expect(found.map(({ key }) => key)).toEqual(["0", "1"]);
  });

  test("nth runs the first due minute and skips the next ones", () => {
    const pattern: boolean[] = [];
    let counter: number | undefined;
    for (let count = 0; count < 7; count++) {
      const step = countNth(counter, 3);
      counter = step.counter;
      pattern.push(step.runs);
    }
    expect(pattern).toEqual([true, false, false, true, false, false, true]);
  });

  test("an event without an enabled launching trigger has no schedule", () => {
    const triggers = [
      { type: "manual", enabled: true },
      { type: "schedule", enabled: false },
    ];
    expect(scheduleOf({ triggers })).toBeUndefined();
  });
});
