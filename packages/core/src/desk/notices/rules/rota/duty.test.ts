import { describe, expect, test } from "vitest";
import { createCalendar } from "../../../../lib/time/calendar.ts";
import type { Rota, RotaLayer } from "../../model.ts";
import { onDuty, shiftsOf } from "./duty.ts";

const calendar = createCalendar();
const at = (text: string): number => Date.parse(text) / 1000;
const week: RotaLayer = {
  ...{ users: ["ann", "bob", "cid"], turn: "week", every: 1, handover: { weekday: 1, at: "09:00" } },
  start: "2026-01-05",
};
const rota = (members: Partial<Rota> = {}) => ({
  timezone: "Europe/Berlin",
  layers: [week],
  overrides: [],
  ...members,
});
const duty = (members: Partial<Rota>, time: string) => onDuty(rota(members), at(time), calendar);

describe("weekly turns", () => {
  test.each([
    ["before the first handover", "2026-01-05T07:59Z", undefined],
    ["from the first handover on", "2026-01-05T08:00Z", "ann"],
    ["to the minute before the next", "2026-01-12T07:59Z", "ann"],
    ["the second", "2026-01-12T08:00Z", "bob"],
    ["the third", "2026-01-19T08:00Z", "cid"],
    ["and again", "2026-01-26T08:00Z", "ann"],
    ["at the same time on the wall in summer", "2026-07-06T06:59Z", "bob"],
    ["not an hour later", "2026-07-06T07:00Z", "cid"],
  ])("%s", (_name, time, user) => {
    expect(duty({}, time)).toBe(user);
  });
});

describe("clock changes", () => {
  const daily: RotaLayer = {
    ...week,
    turn: "day",
    handover: { at: "02:30" },
    start: "2026-01-01",
    users: ["ann", "bob"],
  };
  test.each([
    ["before the hour that is skipped", "2026-03-29T00:59Z", "ann"],
    ["the next minute that exists", "2026-03-29T01:00Z", "bob"],
    ["before the hour that comes twice", "2026-10-25T00:29Z", "ann"],
    ["its first pass hands over", "2026-10-25T00:30Z", "bob"],
    ["its second pass changes nothing", "2026-10-25T01:10Z", "bob"],
    ["nor at its end", "2026-10-25T01:30Z", "bob"],
    ["a day later", "2026-10-26T01:30Z", "ann"],
  ])("%s", (_name, time, user) => {
    expect(duty({ layers: [daily] }, time)).toBe(user);
  });
});

describe("layers and overrides", () => {
  const nights: RotaLayer = { ...week, users: ["eve"], only: [{ from: "22:00", to: "06:00" }] };
  const override = (members: object) => ({
    id: "o1",
    start: at("2026-01-06T00:00Z"),
    end: at("2026-01-07T00:00Z"),
    user: "zoe",
    ...members,
  });
  test.each<[string, Partial<Rota>, string, string | undefined]>([
    ["the first layer that applies", { layers: [nights, week] }, "2026-01-06T22:00Z", "eve"],
    ["the next one where the first does not apply", { layers: [nights, week] }, "2026-01-06T12:00Z", "ann"],
    ["no one where no layer applies", { layers: [nights] }, "2026-01-06T12:00Z", undefined],
    ["an override takes precedence over all layers", { overrides: [override({})] }, "2026-01-06T12:00Z", "zoe"],
    ["until it ends", { overrides: [override({})] }, "2026-01-07T00:00Z", "ann"],
    ["the newest of two", { overrides: [override({}), override({ user: "yan" })] }, "2026-01-06T12:00Z", "yan"],
    ["an override of the one on duty", { overrides: [override({ instead_of: "ann" })] }, "2026-01-06T12:00Z", "zoe"],
    ["no override of another person", { overrides: [override({ instead_of: "bob" })] }, "2026-01-06T12:00Z", "ann"],
  ])("%s", (_name, members, time, user) => {
    expect(duty(members, time)).toBe(user);
  });

  test("shifts say who is on duty, to the minute, and where no one is", () => {
    const overrides = [override({ start: at("2026-01-06T10:10Z"), end: at("2026-01-06T10:20Z") })];
    const steps = shiftsOf(rota({ overrides }), at("2026-01-05T07:00Z"), at("2026-01-12T09:00Z"), calendar);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const shifts = step.value;
    const text = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(5, 16);
    expect(shifts.map(({ start, end, user }) => [text(start), text(end), user])).toEqual([
      ["01-05T07:00", "01-05T08:00", undefined],
      ["01-05T08:00", "01-06T10:10", "ann"],
      ["01-06T10:10", "01-06T10:20", "zoe"],
      ["01-06T10:20", "01-12T08:00", "ann"],
      ["01-12T08:00", "01-12T09:00", "bob"],
    ]);
  });
});

test("shifts change at full minutes, at whatever time they are read", () => {
  const handover = { weekday: 1, at: "09:07" };
  const shifts = (from: string, to: string) => {
    const overrides = [{ id: "o", user: "zoe", start: at("2026-01-12T08:36:13Z"), end: at("2026-01-12T09:30:40Z") }];
    const steps = shiftsOf(rota({ layers: [{ ...week, handover }], overrides }), at(from), at(to), calendar);
    let step = steps.next();
    while (!step.done) step = steps.next();
    return step.value.map(({ start, user }) => [new Date(start * 1000).toISOString().slice(5, 19), user]);
  };
  const further = [
    ["01-12T08:07:00", "bob"],
    ["01-12T08:36:13", "zoe"],
    ["01-12T09:30:40", "bob"],
  ];
  expect(shifts("2026-01-12T07:58:13Z", "2026-01-12T10:00Z")).toEqual([["01-12T07:58:13", "ann"], ...further]);
  expect(shifts("2026-01-12T08:06:59Z", "2026-01-12T09:40:01Z")).toEqual([["01-12T08:06:59", "ann"], ...further]);
});

test("a search for shifts lets other work run at each quarter of an hour", () => {
  const week = at("2026-01-05T07:00Z");
  const turns = [...shiftsOf(rota({}), week, week + 7 * 86_400, calendar)];
  expect(turns.length).toBeGreaterThanOrEqual(7 * 96);
});
