import { expect, test } from "vitest";
import { createCalendar } from "../../../lib/time/calendar.ts";
import type { Silence } from "../model.ts";
import { newSilence } from "./record.ts";
import { addWindow, type Window, windowsIn } from "./windows.ts";

const HOUR = 3600;
/** 2027-01-15 00:00:00 UTC, a Friday. */
const DAY = 1_799_971_200;
const rules = { calendar: createCalendar(), zone: "UTC" };
const silence = (members: Partial<Silence>): Silence =>
  newSilence({ title: "Q", servers: ["s1"], ...members } as never, { id: "q", username: "ann", now: DAY });
const night = { recurring: { from: "22:00", to: "02:00" } };

test.each<[string, Partial<Silence>, readonly (readonly [number, number])[]]>([
  ["once, to its end", { start: DAY + 30, end: DAY + HOUR }, [[30, HOUR]]],
  ["once, cut at both ends", { start: 0, end: DAY * 2 }, [[0, 48 * HOUR]]],
  ["after the time", { start: DAY + 50 * HOUR, end: DAY + 60 * HOUR }, []],
  ["disabled", { enabled: false, start: 0, end: DAY * 2 }, []],
  [
    "each night",
    night,
    [
      [0, 2 * HOUR],
      [22 * HOUR, 26 * HOUR],
      [46 * HOUR, 48 * HOUR],
    ],
  ],
  ["each night, from a second on to another", { ...night, start: DAY + 90, end: DAY + HOUR + 5 }, [[90, HOUR + 5]]],
  ["in the night to Saturday", { recurring: { ...night.recurring, weekdays: [5] } }, [[22 * HOUR, 26 * HOUR]]],
])("a silence %s is in force at that time", (_name, members, expected) => {
  const found = windowsIn(silence(members), { from: DAY, to: DAY + 48 * HOUR }, rules);
  expect(found.map(({ from, to }) => [from - DAY, to - DAY])).toEqual(expected);
});

test("consecutive windows are one", () => {
  const windows: Window[] = [];
  for (const [from, to] of [
    [1, 2],
    [2, 4],
    [5, 6],
  ] as const)
    addWindow(windows, { from, to });
  expect(windows).toEqual([
    { from: 1, to: 4 },
    { from: 5, to: 6 },
  ]);
});
