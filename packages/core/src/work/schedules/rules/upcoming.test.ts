import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCalendar } from "../../../lib/time/calendar.ts";
import type { Trigger } from "../../events/model.ts";
import { planEvent } from "./plan.ts";
import { scheduleOf } from "./triggers.ts";
import { findUpcoming } from "./upcoming.ts";

const rules = { calendar: createCalendar(), zone: "Europe/Berlin" };
/** 2027-01-15 08:00 UTC */
const T = 1_800_000_000;
const DAY = 86_400;

function search(
  triggers: readonly Trigger[],
  { from = T, limit = 5, nth }: { from?: number; limit?: number; nth?: number } = {},
) {
  const schedule = scheduleOf({ triggers: triggers.map((trigger) => ({ enabled: true, ...trigger })) });
  if (!schedule) throw new Error("no launching trigger");
  const steps = findUpcoming([{ schedule, nth }], { from, limit }, rules);
  let turns = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) turns++;
  return { ...step.value, nows: step.value.runs.map(({ now }) => now - T), turns };
}

describe("findUpcoming", () => {
  test("begins with the minute of its start", () => {
    expect(search([{ type: "schedule" }], { limit: 2 }).nows).toEqual([0, 60]);
    expect(search([{ type: "schedule" }], { from: T + 1, limit: 1 }).nows).toEqual([60]);
  });

  test("gives each second of precision, and each trigger, a run of its own", () => {
    expect(search([{ type: "schedule" }, { type: "precision", seconds: [0, 30] }], { limit: 3 }).nows).toEqual([
      0, 30, 60,
    ]);
    expect(search([{ type: "schedule" }, { type: "single", epoch: T }], { limit: 3 }).nows).toEqual([0, 0, 60]);
  });

  test("asks a scheduler plugin once about a minute, whatever the seconds", () => {
    const plugin = { type: "plugin", plugin_id: "p" };
    expect(search([{ type: "interval", start: T, duration: 20 }, plugin], { limit: 2 }).nows).toEqual([0, 60]);
    expect(search([{ type: "schedule" }, { type: "precision", seconds: [0, 9] }, plugin], { limit: 2 }).nows).toEqual([
      0, 60,
    ]);
  });

  test("skips years of a range or a blackout at once", () => {
    const later = T + 2000 * DAY;
    const ranged = search([{ type: "schedule" }, { type: "range", start: later }], { limit: 1 });
    expect(ranged.nows).toEqual([2000 * DAY]);
    expect(ranged.turns).toBeLessThan(100);
    const black = search([{ type: "schedule" }, { type: "blackout", start: T - DAY, end: later }], { limit: 1 });
    expect(black.nows).toEqual([2000 * DAY + 60]);
  });

  test("counts every-nth from its present count", () => {
    const triggers = [{ type: "schedule" }, { type: "nth", every: 3 }];
    expect(search(triggers, { limit: 2 }).nows).toEqual([0, 180]);
    expect(search(triggers, { limit: 2, nth: 2 }).nows).toEqual([60, 240]);
  });

  test("ends after nine years, and after a hundred and fifty days of minutes", () => {
    const never = search([{ type: "schedule", years: [2001] }]);
    expect(never.runs).toEqual([]);
    expect(never.until - T).toBeGreaterThan(9 * 365 * DAY);
    const rare = search([{ type: "schedule" }, { type: "nth", every: 1_000_000 }], { nth: 1_000_000 });
    expect(rare.runs).toEqual([]);
    expect(rare.until - T).toBeGreaterThan(150 * DAY);
    expect(rare.until - T).toBeLessThan(151 * DAY);
  });

  test("looks less far ahead with many triggers, and yields to other work within a day", () => {
    const many = search(Array.from({ length: 100 }, () => ({ type: "schedule", years: [2200] })));
    expect(many.until - T).toBeLessThan(120 * DAY);
    expect(many.turns).toBeGreaterThan(100);
    const busy = search([
      ...Array.from({ length: 99 }, () => ({ type: "schedule", hours: [23] })),
      { type: "nth", every: 99 },
    ]);
    expect(busy.turns).toBeGreaterThan(50);
  });

  /** Days on which clocks change, by half an hour, at midnight or by a whole day as well. */
  const CHANGES = [
    ["Europe/Berlin", "2027-03-28"],
    ["Europe/Berlin", "2027-10-31"],
    ["America/New_York", "2027-03-14"],
    ["America/New_York", "2027-11-07"],
    ["Australia/Lord_Howe", "2027-04-03"],
    ["Australia/Lord_Howe", "2027-10-02"],
    ["Pacific/Apia", "2011-12-30"],
    ["Asia/Kathmandu", "1985-12-31"],
    ["Africa/Casablanca", "2027-02-07"],
    ["Africa/Casablanca", "2027-03-14"],
    ["America/Havana", "2027-03-14"],
    ["Europe/London", "2028-02-29"],
  ] as const;

  test("finds the runs that the scheduler will launch", () => {
    const list = (max: number) => fc.uniqueArray(fc.integer({ min: 0, max }), { maxLength: 3 });
    const spell = fc.record({
      start: fc.integer({ min: -DAY, max: 2 * DAY }),
      length: fc.integer({ min: 0, max: DAY }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...CHANGES),
        fc.record({
          ...{ hours: list(23), minutes: list(59), weekdays: list(6) },
          days: fc.subarray([-1, -2, 1, 14, 28, 29, 31], { maxLength: 2 }),
          dst: fc.constantFrom("once", "wall"),
        }),
        fc.option(
          fc.record({ start: fc.integer({ min: -DAY, max: DAY }), duration: fc.integer({ min: 30, max: 200_000 }) }),
        ),
        fc.option(fc.integer({ min: 0, max: 2 * DAY })),
        fc.option(fc.integer({ min: 2, max: 5 })),
        fc.option(spell),
        fc.integer({ min: 0, max: DAY }),
        ([zone, day], pattern, interval, single, every, blackout, offset) => {
          const at = Date.parse(`${day}T00:00Z`) / 1000;
          const minute = (time: number): number => Math.floor(time / 60) * 60;
          const triggers: Trigger[] = [
            { type: "schedule", enabled: true, timezone: zone, ...pattern },
            ...(interval ? [{ type: "interval", enabled: true, ...interval, start: at + interval.start }] : []),
            ...(single === null ? [] : [{ type: "single", enabled: true, epoch: minute(at + single) }]),
            ...(every ? [{ type: "nth", enabled: true, every }] : []),
            ...(blackout
              ? [
                  {
                    type: "blackout",
                    enabled: true,
                    start: at + blackout.start,
                    end: at + blackout.start + blackout.length,
                  },
                ]
              : []),
          ];
          const from = minute(at - DAY / 2 + offset);
          const schedule = scheduleOf({ triggers });
          if (!schedule) throw new Error("no launching trigger");
          const plan = planEvent(schedule, { id: "e" }, { from: from - 60, to: from + 2 * DAY }, { ...rules, zone });
          // Within a minute, the scheduler goes by triggers and the preview by time.
          const expected = plan.runs
            .map(({ now }) => now)
            .toSorted((one, other) => one - other)
            .slice(0, 50);
          const found = search(triggers, { from, limit: expected.length || 1 }).runs.map(({ now }) => now);
          expect(found.slice(0, expected.length)).toEqual(expected);
        },
      ),
      { numRuns: 150 },
    );
  });
});
