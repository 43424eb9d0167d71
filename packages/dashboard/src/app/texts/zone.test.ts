import { expect, test } from "vitest";
import { clockChange, fromInput, isZone, offsetAt, toInput } from "./zone.ts";

const at = (date: string): number => Date.parse(date) / 1000;

test.each([
  ["2026-07-01T00:00:00Z", "Europe/Berlin", 7200],
  ["2026-12-01T00:00:00Z", "Europe/Berlin", 3600],
  ["2026-12-01T00:00:00Z", "Asia/Kathmandu", 20_700],
  ["2026-12-01T00:00:00Z", "America/New_York", -18_000],
  ["2026-12-01T00:00:00Z", "UTC", 0],
])("at %s %s is ahead by %i seconds", (date, zone, offset) => {
  expect(offsetAt(at(date), zone)).toBe(offset);
});

test.each([
  ["2026-10-25T12:00:00Z", -3600],
  ["2026-10-25T00:10:00Z", -3600],
  ["2026-10-24T12:00:00Z", 0],
  ["2026-10-26T12:00:00Z", 0],
  ["2026-03-29T12:00:00Z", 3600],
])("on the day of %s the clock of Berlin goes forward by %i seconds", (date, seconds) => {
  expect(clockChange(at(date), "Europe/Berlin")).toBe(seconds);
});

test("a field shows a time in the displayed zone, and returns it", () => {
  const moment = at("2026-11-24T12:37:00Z");
  expect(toInput(moment, "Europe/Berlin")).toBe("2026-11-24T13:37");
  expect(fromInput("2026-11-24T13:37", "Europe/Berlin")).toBe(moment);
});

test.each([
  ["2026-07-01T12:30", "2026-07-01T10:30Z"],
  ["2026-12-01T00:00", "2026-11-30T23:00Z"],
  ["2026-03-29T03:30", "2026-03-29T01:30Z"],
  ["2026-10-25T04:00", "2026-10-25T03:00Z"],
])("%s in Berlin is converted to a time, and back", (wall, moment) => {
  expect(fromInput(wall, "Europe/Berlin")).toBe(at(moment));
  expect(toInput(at(moment), "Europe/Berlin")).toBe(wall);
});

test.each(["", "soon"])("%j in a field is no time", (text) => {
  expect(fromInput(text, "Europe/Berlin")).toBeUndefined();
});

test("zones are known by name", () => {
  expect([isZone("Europe/Berlin"), isZone("Nowhere/Town")]).toEqual([true, false]);
});

test.each([
  ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30Z"],
  ["2026-03-08T02:30", "America/New_York", "2026-03-08T07:30Z"],
  ["2026-09-27T02:30", "Pacific/Auckland", "2026-09-26T14:30Z"],
])("%s in %s, which is skipped, is an hour later", (wall, zone, moment) => {
  expect(fromInput(wall, zone)).toBe(at(moment));
});
