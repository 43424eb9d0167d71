import { describe, expect, test } from "vitest";
import { createCalendar } from "../../../lib/time/calendar.ts";
import type { Trigger } from "../../events/model.ts";
import type { ClockChanges } from "./pattern.ts";
import { hitsAt, scheduleOf } from "./triggers.ts";

/** Winter offset in minutes, what summer adds, and when summer begins and ends; from the time zone database. */
const ZONES: readonly (readonly [string, number, number, readonly (readonly [string, string])[]])[] = [
  [
    "Europe/Berlin",
    60,
    60,
    [
      ["2026-03-29T01:00Z", "2026-10-25T01:00Z"],
      ["2027-03-28T01:00Z", "2027-10-31T01:00Z"],
    ],
  ],
  [
    "Europe/London",
    0,
    60,
    [
      ["2026-03-29T01:00Z", "2026-10-25T01:00Z"],
      ["2027-03-28T01:00Z", "2027-10-31T01:00Z"],
    ],
  ],
  [
    "Atlantic/Azores",
    -60,
    60,
    [
      ["2026-03-29T01:00Z", "2026-10-25T01:00Z"],
      ["2027-03-28T01:00Z", "2027-10-31T01:00Z"],
    ],
  ],
  [
    "America/New_York",
    -300,
    60,
    [
      ["2026-03-08T07:00Z", "2026-11-01T06:00Z"],
      ["2027-03-14T07:00Z", "2027-11-07T06:00Z"],
    ],
  ],
  [
    "America/St_Johns",
    -210,
    60,
    [
      ["2026-03-08T05:30Z", "2026-11-01T04:30Z"],
      ["2027-03-14T05:30Z", "2027-11-07T04:30Z"],
    ],
  ],
  // Clocks change at midnight: the first hour of a day is skipped, or the last one repeated.
  [
    "America/Havana",
    -300,
    60,
    [
      ["2026-03-08T05:00Z", "2026-11-01T05:00Z"],
      ["2027-03-14T05:00Z", "2027-11-07T05:00Z"],
    ],
  ],
  [
    "America/Santiago",
    -240,
    60,
    [
      ["2026-09-06T04:00Z", "2026-04-05T03:00Z"],
      ["2027-09-05T04:00Z", "2027-04-04T03:00Z"],
    ],
  ],
  [
    "Australia/Sydney",
    600,
    60,
    [
      ["2026-10-03T16:00Z", "2026-04-04T16:00Z"],
      ["2027-10-02T16:00Z", "2027-04-03T16:00Z"],
    ],
  ],
  // Clocks change by half an hour.
  [
    "Australia/Lord_Howe",
    630,
    30,
    [
      ["2026-10-03T15:30Z", "2026-04-04T15:00Z"],
      ["2027-10-02T15:30Z", "2027-04-03T15:00Z"],
    ],
  ],
  [
    "Pacific/Chatham",
    765,
    60,
    [
      ["2026-09-26T14:00Z", "2026-04-04T14:00Z"],
      ["2027-09-25T14:00Z", "2027-04-03T14:00Z"],
    ],
  ],
  [
    "Asia/Beirut",
    120,
    60,
    [
      ["2026-03-28T22:00Z", "2026-10-24T21:00Z"],
      ["2027-03-27T22:00Z", "2027-10-30T21:00Z"],
    ],
  ],
  // Clocks change by two hours.
  [
    "Antarctica/Troll",
    0,
    120,
    [
      ["2026-03-29T01:00Z", "2026-10-25T01:00Z"],
      ["2027-03-28T01:00Z", "2027-10-31T01:00Z"],
    ],
  ],
];

const calendar = createCalendar();
const MINUTE = 60;
const WINDOW = 6 * 3600;

interface Change {
  readonly zone: string;
  /** Unix seconds. */
  readonly at: number;
  /** Seconds east of UTC before and after the change. */
  readonly before: number;
  readonly after: number;
}

const changesOf = ([zone, winter, shift, years]: (typeof ZONES)[number]): Change[] => {
  const [cold, warm] = [winter * MINUTE, (winter + shift) * MINUTE];
  return years.flatMap(([begin, end]) => [
    { zone, at: Date.parse(begin) / 1000, before: cold, after: warm },
    { zone, at: Date.parse(end) / 1000, before: warm, after: cold },
  ]);
};

/** Instants at which a clock shows a local time (given as if it were UTC), judged by the table alone. */
function shownAt(wall: number, { at, before, after }: Change): number[] {
  return [wall - before].filter((time) => time < at).concat([wall - after].filter((time) => time >= at));
}

function expected(wall: number, change: Change, mode: ClockChanges): number[] {
  const shown = shownAt(wall, change);
  if (mode === "wall") return shown;
  // Once: the first time that clocks show it, or the change itself if they skip it.
  return [shown[0] ?? change.at];
}

function dueAround({ at, zone }: Change, trigger: Trigger, mode: ClockChanges): number[] {
  const schedule = scheduleOf({ triggers: [{ ...trigger, enabled: true }] });
  if (!schedule) throw new Error("no launching trigger");
  const due: number[] = [];
  for (let minute = at - WINDOW; minute < at + WINDOW; minute += MINUTE)
    if (hitsAt(schedule, minute, { calendar, zone, dst: mode }).length > 0) due.push(minute);
  return due;
}

const texts = (times: readonly number[]): string[] =>
  times.map((time) => new Date(time * 1000).toISOString().slice(0, 16));

describe.each(ZONES.map((zone) => [zone[0], zone] as const))("clock changes of 2026 and 2027 in %s", (_name, row) => {
  test.each(["once", "wall"] as const)("every quarter of an hour of local time, with dst %s", (mode) => {
    for (const change of changesOf(row)) {
      const wall = change.at + change.before;
      for (let time = wall - 10_800; time < wall + 10_800; time += 15 * MINUTE) {
        const date = new Date(time * 1000);
        const trigger = { type: "schedule", hours: [date.getUTCHours()], minutes: [date.getUTCMinutes()] };
        expect(texts(dueAround(change, trigger, mode)), `${change.zone} ${date.toISOString()}`).toEqual(
          texts(expected(time, change, mode)),
        );
      }
    }
  });

  test("patterns of every hour run once in each hour that passes", () => {
    for (const change of changesOf(row)) {
      const minutes = [new Date((change.at + change.before) * 1000).getUTCMinutes()];
      const due = dueAround(change, { type: "schedule", minutes }, "once");
      const walls = due.map((time) => (time + (time < change.at ? change.before : change.after)) % 3600);
      expect(new Set(walls)).toEqual(new Set([(minutes[0] ?? 0) * MINUTE]));
      expect(due.length).toBeGreaterThanOrEqual(11);
    }
  });

  test("intervals ignore clock changes", () => {
    for (const change of changesOf(row)) {
      const trigger = { type: "interval", start: change.at - 86_400, duration: 3600 };
      expect(dueAround(change, trigger, "once")).toHaveLength(12);
    }
  });
});

test("a trigger with its own dst ignores the default", () => {
  const [change] = changesOf(ZONES[0] as (typeof ZONES)[number]);
  if (!change) throw new Error("no change");
  const skipped = { type: "schedule", hours: [2], minutes: [30] };
  expect(dueAround(change, { ...skipped, dst: "wall" }, "once")).toEqual([]);
  expect(dueAround(change, { ...skipped, dst: "once" }, "wall")).toEqual([change.at]);
});
